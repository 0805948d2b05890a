--- The client of the language server: its configuration, and requests to it.

local M = {}

M.NAME = 'edit_assist_ls'
M.DIFFERENCE = 'editAssistNvim.difference'

---@class edit_assist.Call one edit call of an agent, as the server lists it; lines are 1-based and inclusive
---@field id string
---@field host string
---@field toolCallId string
---@field uri? string
---@field state "exact"|"corrected"|"failed"|"applied"|"dismissed"
---@field startLine? integer
---@field endLine? integer
---@field summary string
---@field at string
---@field edits { state: string, code?: string, startLine?: integer, endLine?: integer }[]

--- What is to be done once the client that is starting is initialized.
---@type fun(client: vim.lsp.Client)[]
local waiting = {}

---@return fun(client: vim.lsp.Client)[]
local function take_waiting()
  local taken = waiting
  waiting = {}
  return taken
end

--- What `lsp/edit_assist_ls.lua` returns.
---@return vim.lsp.Config
function M.config()
  local attaching = require('edit_assist.attaching')
  local server = require('edit_assist.settings').get().settings
  return {
    cmd = function(dispatchers)
      local find = require('edit_assist.server')
      local found, problem = find.find()
      if not found then
        error(problem, 0)
      end
      return vim.lsp.rpc.start(find.command(found, '--stdio'), dispatchers, find.surroundings())
    end,
    root_dir = attaching.root_dir,
    reuse_client = attaching.reuse_client,
    init_options = { callsChanged = true, clientCommands = { difference = M.DIFFERENCE } },
    settings = server and { editAssist = server } or nil,
    on_init = function(client)
      attaching.tell_folders(client)
      require('edit_assist.calls').refresh(client)
      for _, then_do in ipairs(take_waiting()) do
        vim.schedule(function()
          then_do(client)
        end)
      end
    end,
    on_exit = vim.schedule_wrap(function()
      if not M.is_starting() and #take_waiting() > 0 then
        require('edit_assist.say').error(require('edit_assist.words').server_did_not_start(vim.lsp.log.get_filename()))
      end
    end),
    handlers = {
      ['editAssist/didChangeCalls'] = function(_, _, context)
        require('edit_assist.calls').refresh(vim.lsp.get_client_by_id(context.client_id))
      end,
    },
    commands = {
      [M.DIFFERENCE] = function(command)
        local arguments = command.arguments or {}
        require('edit_assist.difference').open(arguments[1], arguments[2])
      end,
    },
  }
end

--- The client, where it runs and is initialized.
---@return vim.lsp.Client?
function M.get()
  return vim.iter(vim.lsp.get_clients({ name = M.NAME })):find(function(client)
    return not client:is_stopped() and not client._is_stopping
  end)
end

--- Calls `then_do` with the client; starts one for the current folder where none runs. Says why, where none can.
---@param then_do fun(client: vim.lsp.Client)
function M.with(then_do)
  local client = M.get()
  if client then
    return then_do(client)
  end
  local config = vim.deepcopy(vim.lsp.config[M.NAME])
  if type(config.cmd) == 'function' then
    local found, problem = require('edit_assist.server').find()
    if not found then
      return require('edit_assist.say').error(problem)
    end
  end
  table.insert(waiting, then_do)
  if not M.is_starting() then
    config.root_dir = require('edit_assist.attaching').root()
    vim.lsp.start(config, { attach = false })
  end
end

--- Whether a client was started that is not yet initialized.
---@return boolean
function M.is_starting()
  return vim.iter(vim.lsp.get_clients({ name = M.NAME, _uninitialized = true })):any(function(client)
    return not client.initialized and not client:is_stopped() and not client._is_stopping
  end)
end

--- Asks the server; `on_result` gets the result. An error of the server's is said.
---@param method string
---@param params table
---@param on_result fun(result: any, client: vim.lsp.Client)
function M.ask(method, params, on_result)
  M.with(function(client)
    client:request(method, params, function(problem, result)
      if problem then
        require('edit_assist.say').error(require('edit_assist.words').refused(problem.message))
      else
        on_result(result, client)
      end
    end)
  end)
end

--- Asks for calls, newest first. `on_calls` gets them, in the shape of |edit_assist.Call|.
---@param params { uri?: string, limit?: integer }
---@param on_calls fun(calls: edit_assist.Call[])
function M.calls(params, on_calls)
  local wanted = vim.tbl_extend('keep', params, { limit = require('edit_assist.settings').get().limit })
  M.ask('editAssist/calls', wanted, function(result)
    on_calls(type(result) == 'table' and result.calls or {})
  end)
end

--- Runs a command of the server's: `editAssist.dismiss` or `editAssist.applied`.
---@param command string
---@param id string
---@param edit_index? integer which edit of the call, from 0; all of them where absent
---@param on_done? fun()
function M.run(command, id, edit_index, on_done)
  local params = { command = command, arguments = { id, edit_index } }
  M.ask('workspace/executeCommand', params, on_done or function() end)
end

return M
