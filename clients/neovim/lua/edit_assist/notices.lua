--- One notification for each call that fails while this Neovim runs.

local M = {}

--- Ids of calls that were announced, or failed before the start.
---@type table<string, true>
local known = {}

local AGAIN_MS = 200

--- Announces a call, once no menu and no prompt is open, which a message would disturb.
---@param call edit_assist.Call
local function announce(call)
  local now = vim.api.nvim_get_mode()
  if now.blocking or now.mode:match('^[cr]') then
    vim.defer_fn(function()
      announce(call)
    end, AGAIN_MS)
    return
  end
  -- What was said before is on the screen then: this line takes its place, and none asks for a key.
  vim.cmd.redraw()
  require('edit_assist.say').unasked(require('edit_assist.words').call_failed(call))
end

---@param call edit_assist.Call
---@return boolean
local function is_newer_than_the_start(call)
  local at = require('edit_assist.text').seconds(call.at)
  if not at then
    return false
  end
  local started_at = require('edit_assist').started_at
  local is_whole = not call.at:find('.', 1, true)
  return at >= (is_whole and math.floor(started_at) or started_at)
end

--- Announces what failed since the last time. What failed while the option `notify` was off is not told of later.
---@param calls edit_assist.Call[] newest first
function M.see(calls)
  local wanted = require('edit_assist.settings').get().notify
  for at = #calls, 1, -1 do
    local call = calls[at]
    if call.state == 'failed' and not known[call.id] then
      known[call.id] = true
      if wanted and is_newer_than_the_start(call) then
        vim.schedule(function()
          announce(call)
        end)
      end
    end
  end
end

return M
