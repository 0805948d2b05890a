--- Every sentence that a person reads. `edit_assist.say` and the lists show them on one line, escaped.

local text = require('edit_assist.text')

local M = {}

M.WHICH_EDIT = 'Which edit?'
M.CLOSE = 'edit-assist: close the difference'
M.APPLY = 'edit-assist: put this edit in'

---@param count integer
---@param singular string
---@return string
local function counted(count, singular)
  return count == 1 and '1 ' .. singular or ('%d %ss'):format(count, singular)
end

---@param value any
---@return string
local function shown(value)
  return text.one_line(vim.inspect(value, { newline = ' ', indent = '' }), 60)
end

---@return string
function M.no_server()
  return 'edit-assist-ls was not found on PATH. Install it (uv tool install edit-assist-ls, or pipx install '
    .. 'edit-assist-ls), or name it: vim.g.edit_assist = { cmd = { "/full/path/edit-assist-ls" } }.'
end

---@param via string
---@param name string
---@return string
function M.no_program(via, name)
  return ('%s names %s, which cannot be started: give a full path, or a name on PATH.'):format(via, shown(name))
end

---@param log string
---@return string
function M.server_did_not_start(log)
  local sentence = 'the server ended before it answered. Its output is in %s; :checkhealth edit_assist looks further.'
  return sentence:format(log)
end

---@return string
function M.restarted()
  return 'the server runs anew.'
end

---@param message any
---@return string
function M.refused(message)
  return type(message) == 'string' and message or 'the server refused, and did not say why.'
end

---@param value any
---@return string
function M.no_table_of_options(value)
  return ('vim.g.edit_assist is %s; it must be a table of options. The defaults hold.'):format(shown(value))
end

---@param name any
---@param names string[]
---@return string
function M.unknown_option(name, names)
  table.sort(names)
  return ('there is no option %s; the options are %s.'):format(shown(name), table.concat(names, ', '))
end

---@param name string
---@param value any
---@param must_be string
---@return string
function M.wrong_option(name, value, must_be)
  return ('the option %s is %s; it must be %s. Its default holds.'):format(name, shown(value), must_be)
end

---@param state string
---@param states string[]
---@return string
function M.no_such_state(state, states)
  return ('no call is ever %s; :EditAssist takes %s, or nothing.'):format(shown(state), table.concat(states, ', '))
end

---@return string
function M.no_file_here()
  return 'this buffer is no file; :EditAssist without ! lists the calls of all files.'
end

---@param state? string
---@return string
function M.no_calls(state)
  return ('no %s in the folders of this Neovim.'):format(state and 'edit call is ' .. state or 'edit calls')
end

---@param count integer
---@param state? string
---@return string
function M.list_title(count, state)
  return ('Edit Assist: %s%s'):format(counted(count, 'call'), state and ', ' .. state or '')
end

--- Such as "failed 14:02 pi: edits[0] is not in load.go."
---@param call edit_assist.Call
---@return string
function M.call_in_list(call)
  return text.one_line(('%s %s %s: %s'):format(call.state, text.clock(call.at), call.host, call.summary), 300)
end

---@param call edit_assist.Call
---@return string
function M.call_failed(call)
  local path = require('edit_assist.calls').path(call)
  local place = path and vim.fs.basename(path) or 'a call'
  if path and call.startLine then
    place = ('%s:%d'):format(place, call.startLine)
  end
  return ('%s failed: %s'):format(place, call.summary)
end

---@param name string
---@return string
function M.bar_before(name)
  return (' %s as it stands'):format(name)
end

---@param name string
---@param edit_index? integer
---@return string
function M.bar_after(name, edit_index)
  local edit = edit_index and ('edits[%d]'):format(edit_index) or "the agent's edit"
  return (' %s with %s · a puts it in, q closes'):format(name, edit)
end

---@return string
function M.no_text()
  return 'the texts of this call were not kept (the setting ledger), so there is nothing to show.'
end

---@return string
function M.no_difference()
  return 'the file already reads as the agent meant it to.'
end

---@return string
function M.nothing_to_apply()
  return 'this call has no edit that could be put in.'
end

---@param is_file boolean
---@return string
function M.no_failing_call(is_file)
  return is_file and 'no call on this file is failing.' or 'no call is failing in the folders of this Neovim.'
end

---@return string
function M.nothing_here()
  return 'no failing edit under the cursor; :EditAssistDismiss all dismisses every one.'
end

---@param count integer
---@return string
function M.dismissed(count)
  return count == 0 and 'no call is failing.' or ('%s dismissed.'):format(counted(count, 'call'))
end

return M
