--- Dismissing calls: they stay listed, their diagnostics go, in every editor.

local M = {}

--- Dismisses one call, or one edit of it.
---@param id string
---@param edit_index? integer
function M.one(id, edit_index)
  require('edit_assist.client').run('editAssist.dismiss', id, edit_index)
end

--- Dismisses every failing call that the server lists for this Neovim's folders.
function M.all()
  require('edit_assist.client').calls({ limit = 1000 }, function(calls)
    local failed = vim.tbl_filter(function(call)
      return call.state == 'failed'
    end, calls)
    for _, call in ipairs(failed) do
      M.one(call.id)
    end
    require('edit_assist.say').info(require('edit_assist.words').dismissed(#failed))
  end)
end

--- Dismisses what is under the cursor.
function M.here()
  require('edit_assist.finding').under_cursor(function(target)
    if not target then
      return require('edit_assist.say').info(require('edit_assist.words').nothing_here())
    end
    M.one(target.id, target.edit_index)
  end)
end

return M
