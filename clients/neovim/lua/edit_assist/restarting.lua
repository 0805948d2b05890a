--- Stopping the server and starting it anew, with the program and the settings that now hold.

local M = {}

local STOP_MS, LOOK_MS = 1500, 50

---@return vim.lsp.Client[]
local function clients()
  return vim.lsp.get_clients({ name = require('edit_assist.client').NAME, _uninitialized = true })
end

--- Calls `then_do` when no server of ours is left; one that does not end by itself is made to.
---@param then_do fun()
local function when_gone(then_do)
  local timer = assert(vim.uv.new_timer())
  local waited_ms = 0
  timer:start(0, LOOK_MS, vim.schedule_wrap(function()
    local left = clients()
    if timer:is_closing() then
      return
    end
    waited_ms = waited_ms + LOOK_MS
    if #left == 0 then
      timer:close()
      then_do()
    elseif waited_ms > STOP_MS then
      for _, client in ipairs(left) do
        client.rpc.terminate()
      end
    end
  end))
end

--- Restarts the server, or starts it where it does not run; it is attached to every file that is open.
function M.restart()
  for _, client in ipairs(clients()) do
    client:stop()
  end
  when_gone(function()
    require('edit_assist.attaching').attach_all()
    require('edit_assist.client').with(function()
      require('edit_assist.say').info(require('edit_assist.words').restarted())
    end)
  end)
end

return M
