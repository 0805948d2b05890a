--- Which call is meant where none was named: the one under the cursor.

local M = {}

---@class edit_assist.Target one call, or one edit of it
---@field id string
---@field edit_index? integer from 0
---@field title string what the diagnostic says first

--- Edit assist's diagnostics on the line of the cursor.
---@return vim.Diagnostic[]
local function diagnostics_here()
  local line0 = vim.api.nvim_win_get_cursor(0)[1] - 1
  return vim.tbl_filter(function(diagnostic)
    return diagnostic.source == 'edit-assist'
  end, vim.diagnostic.get(0, { lnum = line0 }))
end

--- The calls that the server's actions for the cursor's line speak of, each edit once, in the server's order.
---@param actions lsp.CodeAction[]
---@return edit_assist.Target[]
local function targets_of(actions)
  local difference = require('edit_assist.client').DIFFERENCE
  local targets, seen = {}, {}
  for _, action in ipairs(actions) do
    local command = type(action.command) == 'table' and action.command or nil
    if command and command.command == difference and type(command.arguments) == 'table' then
      local id, edit_index = command.arguments[1], command.arguments[2]
      local key = ('%s %s'):format(id, edit_index)
      if type(id) == 'string' and not seen[key] then
        seen[key] = true
        local about = vim.tbl_get(action, 'diagnostics', 1, 'message') or action.title
        local title = vim.split(about, '\n', { plain = true })[1]
        table.insert(targets, { id = id, edit_index = tonumber(edit_index), title = title })
      end
    end
  end
  return targets
end

--- Calls `on_target` with what is under the cursor, which a person chooses where it is several; with nil for nothing.
---@param on_target fun(target: edit_assist.Target?)
function M.under_cursor(on_target)
  local listed = require('edit_assist.calls').under_cursor()
  if listed then
    return on_target({ id = listed, title = '' })
  end
  local diagnostics = diagnostics_here()
  if #diagnostics == 0 then
    return on_target(nil)
  end
  local line0 = vim.api.nvim_win_get_cursor(0)[1] - 1
  local position = { line = line0, character = 0 }
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    range = { start = position, ['end'] = position },
    context = { diagnostics = vim.lsp.diagnostic.from(diagnostics), only = { 'quickfix' } },
  }
  require('edit_assist.client').ask('textDocument/codeAction', params, function(actions)
    local targets = targets_of(actions or {})
    if #targets <= 1 then
      return on_target(targets[1])
    end
    vim.ui.select(targets, {
      prompt = require('edit_assist.words').WHICH_EDIT,
      format_item = function(target)
        return require('edit_assist.text').one_line(target.title, 120)
      end,
    }, function(chosen)
      if chosen then
        on_target(chosen)
      end
    end)
  end)
end

return M
