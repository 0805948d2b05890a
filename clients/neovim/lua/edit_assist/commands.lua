--- The commands of `:help edit-assist-commands`, and their completion.

local M = {}

local STATES = { 'failed', 'corrected', 'exact', 'applied', 'dismissed' }
local COMPLETION_MS = 500

---@param candidates string[]
---@param typed string
---@return string[]
local function beginning_with(candidates, typed)
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, typed)
  end, candidates)
end

--- Ids of calls, the failing ones first; none where no server runs or it does not answer at once.
---@return string[]
local function ids()
  local client = require('edit_assist.client').get()
  local limit = require('edit_assist.settings').get().limit
  local answer = client and client:request_sync('editAssist/calls', { limit = limit }, COMPLETION_MS)
  local calls = answer and answer.result and answer.result.calls or {}
  local failed, others = {}, {}
  for _, call in ipairs(calls) do
    table.insert(call.state == 'failed' and failed or others, call.id)
  end
  return vim.list_extend(failed, others)
end

---@param event vim.api.keyset.create_user_command.command_args
local function list(event)
  local words, say = require('edit_assist.words'), require('edit_assist.say')
  local state = event.args ~= '' and event.args or nil
  if state and not vim.list_contains(STATES, state) then
    return say.error(words.no_such_state(state, STATES))
  end
  local uri
  if event.bang then
    if not require('edit_assist.attaching').is_file(0) then
      return say.error(words.no_file_here())
    end
    uri = vim.uri_from_bufnr(0)
  end
  require('edit_assist.calls').open({ state = state, uri = uri })
end

---@param event vim.api.keyset.create_user_command.command_args
local function difference(event)
  local view = require('edit_assist.difference')
  if event.args == '' then
    view.open_here()
  else
    view.open(event.args)
  end
end

---@param event vim.api.keyset.create_user_command.command_args
local function dismiss(event)
  local dismissing = require('edit_assist.dismissing')
  if event.args == '' then
    dismissing.here()
  elseif event.args == 'all' then
    dismissing.all()
  else
    dismissing.one(event.args)
  end
end

--- Creates them.
function M.create()
  local create = vim.api.nvim_create_user_command
  create('EditAssist', list, {
    nargs = '?',
    bang = true,
    desc = 'List the recent edit calls of agents; with ! those of this file',
    complete = function(typed)
      return beginning_with(STATES, typed)
    end,
  })
  create('EditAssistDiff', difference, {
    nargs = '?',
    desc = 'Show the intended edit of a call against the file',
    complete = function(typed)
      return beginning_with(ids(), typed)
    end,
  })
  create('EditAssistDismiss', dismiss, {
    nargs = '?',
    desc = 'Dismiss a call, or all that failed',
    complete = function(typed)
      return beginning_with(vim.list_extend({ 'all' }, ids()), typed)
    end,
  })
  create('EditAssistRestart', function()
    require('edit_assist.restarting').restart()
  end, { desc = 'Stop the server and start it anew' })
end

return M
