--- What the health check says. What programs printed is shown on one line, control characters escaped.

local text = require('edit_assist.text')

local M = {}

M.SERVER = 'The server'
M.CLIENT = 'The client'
M.LEDGER = 'The ledger'
M.SETTINGS = 'Options'

M.INSTALL = 'See `:help edit-assist-install`.'
M.RUN_BY_HAND = 'Run the program by hand with --version; reinstall it if that fails too.'
M.UPDATE = 'Update the server and this plugin to the same version, then `:EditAssistRestart`.'
M.OPEN_A_FILE = 'Open a file, or run `:EditAssistRestart`; `:LspLog` has what the server said.'
M.ENABLE = 'Set `vim.g.edit_assist = { enabled = true }`, or call `require("edit_assist").setup({ enabled = true })`.'
M.LEDGER_RIGHTS = 'Make the folder yours and writable; until then calls are kept in memory, and no editor sees them.'
M.SEE_SETTINGS = 'See `:help edit-assist-options`.'

---@return string
function M.configured_elsewhere()
  return "the program is named by `cmd` of `vim.lsp.config('edit_assist_ls')`; it is not looked for."
end

---@param program string
---@param said string
---@return string
function M.does_not_run(program, said)
  local cause = said ~= '' and ': ' .. text.one_line(said, 200) or '; it printed nothing.'
  return ('%s does not run%s'):format(text.one_line(program), cause)
end

---@param version string
---@param found edit_assist.Server
---@return string
function M.found(version, found)
  return ('%s: %s (by %s)'):format(text.one_line(version, 100), text.one_line(found.program), found.via)
end

---@param is_wanted boolean
---@return string
function M.no_client(is_wanted)
  return is_wanted and 'no server runs in this Neovim.' or 'no server runs: the option enabled is false.'
end

---@param protocol integer
---@return string
function M.protocol(protocol)
  return ('the server runs and speaks protocol %d.'):format(protocol)
end

---@param theirs any
---@param ours integer
---@return string
function M.other_protocol(theirs, ours)
  return ('the server speaks protocol %s, this plugin protocol %d.'):format(text.one_line(tostring(theirs), 20), ours)
end

---@param buffers integer
---@param folders string[]
---@param encoding string
---@return string
function M.attached(buffers, folders, encoding)
  local shown = #folders > 0 and text.one_line(table.concat(folders, ', '), 1000) or 'none'
  return ('buffers attached: %d; folders: %s; positions in %s.'):format(buffers, shown, encoding)
end

---@param path string
---@param is_there boolean
---@return string
function M.ledger(path, is_there)
  return ('%s %s'):format(text.one_line(path), is_there and 'is writable.' or 'can be made.')
end

---@param path string
---@return string
function M.ledger_read_only(path)
  return ('%s cannot be written.'):format(text.one_line(path))
end

---@param said string
---@return string
function M.no_ledger_path(said)
  return 'the server does not say where its ledger is' .. (said ~= '' and ': ' .. text.one_line(said, 200) or '.')
end

---@param options edit_assist.Options
---@return string
function M.settings(options)
  local names = vim.tbl_keys(options)
  table.sort(names)
  local shown = vim.tbl_map(function(name)
    return ('%s = %s'):format(name, vim.inspect(options[name], { newline = ' ', indent = '' }))
  end, names)
  return text.one_line(table.concat(shown, '; '), 1000)
end

return M
