--- Switching edit assist on and off. The rest of what a configuration may call is in `:help edit-assist-lua`.

local M = {}

local NAME = 'edit_assist_ls'

local seconds, microseconds = vim.uv.gettimeofday()

--- When the plugin was loaded, in seconds since 1970: what failed before is not announced.
M.started_at = seconds + microseconds / 1e6

--- Sets options over those of `vim.g.edit_assist`, and switches the server on or off as they say.
---@param options? edit_assist.Options
function M.setup(options)
  local settings = require('edit_assist.settings')
  settings.set(options)
  local server = settings.get().settings
  if server then
    vim.lsp.config(NAME, { settings = { editAssist = server } })
  end
  if vim.g.loaded_edit_assist then
    M.start()
  end
end

--- Switches the server on, unless the option `enabled` is false: then off, if it is on.
function M.start()
  local wanted = require('edit_assist.settings').get().enabled
  if wanted == vim.lsp.is_enabled(NAME) then
    return
  end
  require('edit_assist.attaching').watch(wanted)
  vim.lsp.enable(NAME, wanted)
end

return M
