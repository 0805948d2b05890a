--- `:checkhealth edit_assist`: what is there, what is not, and what to do about it.

local M = {}

local PROTOCOL = 1
local ANSWER_MS = 10000

---@param found edit_assist.Server
---@param ... string
---@return boolean is_done
---@return string output the first line of what it printed
local function ask_program(found, ...)
  local server = require('edit_assist.server')
  local options = vim.tbl_extend('error', server.surroundings(), { text = true, timeout = ANSWER_MS })
  local could_start, process = pcall(vim.system, server.command(found, ...), options)
  if not could_start then
    return false, tostring(process)
  end
  local done = process:wait()
  local said = vim.trim(done.code == 0 and done.stdout or done.stderr or '')
  return done.code == 0, vim.split(said, '\n', { plain = true })[1] or ''
end

---@return edit_assist.Server?
local function check_server()
  local health, words = vim.health, require('edit_assist.health_words')
  health.start(words.SERVER)
  if type(vim.lsp.config['edit_assist_ls'].cmd) ~= 'function' then
    health.info(words.configured_elsewhere())
    return nil
  end
  local found, problem = require('edit_assist.server').find()
  if not found then
    health.error(problem, words.INSTALL)
    return nil
  end
  local runs, said = ask_program(found, '--version')
  if not runs then
    health.error(words.does_not_run(found.program, said), words.RUN_BY_HAND)
    return nil
  end
  health.ok(words.found(said, found))
  return found
end

---@param found? edit_assist.Server
local function check_ledger(found)
  local health, words = vim.health, require('edit_assist.health_words')
  if not found then
    return
  end
  health.start(words.LEDGER)
  local is_told, path = ask_program(found, 'ledger', 'path')
  if not is_told or path == '' then
    health.warn(words.no_ledger_path(path), words.UPDATE)
    return
  end
  local folder = vim.fs.dirname(path)
  while not vim.uv.fs_stat(folder) and folder ~= vim.fs.dirname(folder) do
    folder = vim.fs.dirname(folder)
  end
  local subject = vim.uv.fs_stat(path) and path or folder
  if vim.uv.fs_access(folder, 'W') and vim.uv.fs_access(subject, 'W') then
    health.ok(words.ledger(path, vim.uv.fs_stat(path) ~= nil))
  else
    health.error(words.ledger_read_only(path), words.LEDGER_RIGHTS)
  end
end

local function check_client()
  local health, words = vim.health, require('edit_assist.health_words')
  health.start(words.CLIENT)
  local client = require('edit_assist.client').get()
  if not client then
    local is_wanted = require('edit_assist.settings').get().enabled
    health.warn(words.no_client(is_wanted), is_wanted and words.OPEN_A_FILE or words.ENABLE)
    return
  end
  local protocol = vim.tbl_get(client.server_capabilities, 'experimental', 'editAssist', 'protocol')
  if protocol == PROTOCOL then
    health.ok(words.protocol(protocol))
  else
    health.error(words.other_protocol(protocol, PROTOCOL), words.UPDATE)
  end
  local folders = vim.tbl_map(function(folder)
    return vim.uri_to_fname(folder.uri)
  end, client.workspace_folders or {})
  health.ok(words.attached(vim.tbl_count(client.attached_buffers), folders, client.offset_encoding))
end

local function check_settings()
  local health, words = vim.health, require('edit_assist.health_words')
  health.start(words.SETTINGS)
  local options, problems = require('edit_assist.settings').get()
  for _, problem in ipairs(problems) do
    health.error(problem, words.SEE_SETTINGS)
  end
  health.info(words.settings(options))
end

function M.check()
  local found = check_server()
  check_client()
  check_ledger(found)
  check_settings()
end

return M
