--- The list of calls, in the quickfix list.

local M = {}

local KIND = { failed = 'W', corrected = 'I' }

--- The path of a call's file; nil where it has none that Neovim can show.
---@param call edit_assist.Call
---@return string?
function M.path(call)
  if type(call.uri) ~= 'string' or not vim.startswith(call.uri, 'file:') then
    return nil
  end
  local is_path, path = pcall(vim.uri_to_fname, call.uri)
  return is_path and path or nil
end

---@param call edit_assist.Call
---@return table item for `setqflist()`
local function item(call)
  local path = M.path(call)
  return {
    filename = path,
    valid = path and 1 or 0,
    lnum = call.startLine or 1,
    end_lnum = call.endLine,
    type = KIND[call.state] or 'N',
    text = require('edit_assist.words').call_in_list(call),
    user_data = call.id,
  }
end

---@class edit_assist.Filter which calls the list shows
---@field state? string
---@field uri? string

---@param calls edit_assist.Call[]
---@param filter edit_assist.Filter
---@return table what for `setqflist()`
local function list(calls, filter)
  local shown = vim.tbl_filter(function(call)
    return filter.state == nil or call.state == filter.state
  end, calls)
  return {
    title = require('edit_assist.words').list_title(#shown, filter.state),
    items = vim.tbl_map(item, shown),
    context = { edit_assist = filter },
  }
end

--- The quickfix list that is the current one, if it is ours.
---@return { id: integer, filter: edit_assist.Filter, items: table[], idx: integer }?
local function current()
  local now = vim.fn.getqflist({ id = 0, context = 1, items = 1, idx = 0 })
  local filter = type(now.context) == 'table' and now.context.edit_assist
  return filter and { id = now.id, filter = filter, items = now.items, idx = now.idx } or nil
end

---@param items table[]
---@param id string
---@return integer? index from 1
local function index_of(items, id)
  for index, one in ipairs(items) do
    if one.user_data == id then
      return index
    end
  end
end

---@param calls edit_assist.Call[]
---@param ours { id: integer, filter: edit_assist.Filter, items: table[], idx: integer }
local function replace(calls, ours)
  local what = list(calls, ours.filter)
  what.id = ours.id
  local function moved(index)
    local old = ours.items[index]
    return old and index_of(what.items, old.user_data)
  end
  what.idx = moved(ours.idx) or math.max(1, math.min(ours.idx, #what.items))
  local window = vim.fn.getqflist({ winid = 0 }).winid
  local line = window > 0 and vim.api.nvim_win_get_cursor(window)[1]
  vim.fn.setqflist({}, 'r', what)
  local target = line and moved(line)
  if target then
    vim.api.nvim_win_set_cursor(window, { target, 0 })
  end
end

--- The id of the call under the cursor, where that is in the window of our list.
---@return string?
function M.under_cursor()
  if vim.bo.buftype ~= 'quickfix' or vim.fn.getloclist(0, { filewinid = 0 }).filewinid ~= 0 then
    return nil
  end
  local ours = current()
  local one = ours and ours.items[vim.fn.line('.')]
  return one and one.user_data
end

--- Opens the list.
---@param filter edit_assist.Filter
function M.open(filter)
  require('edit_assist.client').calls({ uri = filter.uri }, function(calls)
    local what = list(calls, filter)
    if #what.items == 0 then
      return require('edit_assist.say').info(require('edit_assist.words').no_calls(filter.state))
    end
    local ours = current()
    if ours then
      ours.filter = filter
      replace(calls, ours)
    else
      vim.fn.setqflist({}, ' ', what)
    end
    vim.cmd.copen({ mods = { split = 'botright' } })
  end)
end

--- By the id of a client: it was asked and has not yet answered; "again" where something changed meanwhile.
---@type table<integer, "asked"|"again">
local asked = {}

---@param client vim.lsp.Client
---@param uri? string
---@param on_calls fun(calls: edit_assist.Call[])
local function ask_quietly(client, uri, on_calls)
  local params = { limit = require('edit_assist.settings').get().limit, uri = uri }
  return client:request('editAssist/calls', params, function(problem, result)
    on_calls(not problem and type(result) == 'table' and result.calls or {})
  end)
end

--- Asks for the calls anew, for the notifications and for the list, where it is the current one.
---@param client? vim.lsp.Client
function M.refresh(client)
  if not client then
    return
  end
  if asked[client.id] then
    asked[client.id] = 'again'
    return
  end
  local function answered(calls)
    local is_stale = asked[client.id] == 'again'
    asked[client.id] = nil
    require('edit_assist.notices').see(calls)
    local ours = current()
    if is_stale then
      M.refresh(client)
    elseif ours and ours.filter.uri then
      ask_quietly(client, ours.filter.uri, function(of_file)
        local still = current()
        if still and still.id == ours.id then
          replace(of_file, still)
        end
      end)
    elseif ours then
      replace(calls, ours)
    end
  end
  asked[client.id] = ask_quietly(client, nil, answered) and 'asked' or nil
end

return M
