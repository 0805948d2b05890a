--- Which buffers the server is attached to, and the folders that it is told of: one server for the whole Neovim.

local api = vim.api

local M = {}

local NAME = 'edit_assist_ls'
local MOST_BYTES = 10 * 1024 * 1024

--- Whether a buffer holds a file: of no special kind, with a name that is a path, loaded, and at most 10 MB.
---@param bufnr integer
---@return boolean
function M.is_file(bufnr)
  if not api.nvim_buf_is_loaded(bufnr) or vim.bo[bufnr].buftype ~= '' then
    return false
  end
  local name = api.nvim_buf_get_name(bufnr)
  if name == '' or name:match('^%a[%w+.-]+://') or vim.fn.isdirectory(name) == 1 then
    return false
  end
  return api.nvim_buf_get_offset(bufnr, api.nvim_buf_line_count(bufnr)) <= MOST_BYTES
end

--- The folder of a buffer's repository, else the current one.
---@param bufnr? integer
---@return string
function M.root(bufnr)
  return bufnr and vim.fs.root(bufnr, '.git') or vim.fn.getcwd()
end

--- The `root_dir` of the configuration: attaches to files alone, and says once why there is no server.
---@param bufnr integer
---@param on_dir fun(root: string)
function M.root_dir(bufnr, on_dir)
  if not M.is_file(bufnr) then
    return
  end
  if type(vim.lsp.config[NAME].cmd) == 'function' then
    local found, problem = require('edit_assist.server').find()
    if not found then
      vim.notify_once('edit-assist: ' .. problem, vim.log.levels.ERROR)
      return
    end
  end
  on_dir(M.root(bufnr))
end

--- Folders that a client which is not yet initialized is to be told of, by its id.
---@type table<integer, lsp.WorkspaceFolder[]>
local untold = {}

---@param client vim.lsp.Client
---@param folders lsp.WorkspaceFolder[]
local function tell(client, folders)
  client:notify('workspace/didChangeWorkspaceFolders', { event = { added = folders, removed = {} } })
end

---@param client vim.lsp.Client
---@param root string
local function add_folder(client, root)
  local uri = vim.uri_from_fname(root)
  for _, folder in ipairs(client.workspace_folders or {}) do
    if folder.uri == uri then
      return
    end
  end
  local added = { uri = uri, name = root }
  client.workspace_folders = vim.list_extend(client.workspace_folders or {}, { added })
  if client.initialized then
    tell(client, { added })
  else
    untold[client.id] = vim.list_extend(untold[client.id] or {}, { added })
  end
end

--- The `reuse_client` of the configuration: a server that runs is told of the new folder.
---@param client vim.lsp.Client
---@param config vim.lsp.ClientConfig
---@return boolean
function M.reuse_client(client, config)
  if client.name ~= config.name or client:is_stopped() or client._is_stopping then
    return false
  end
  if config.root_dir then
    add_folder(client, config.root_dir)
  end
  return true
end

--- Tells a client that is now initialized of the folders that came meanwhile.
---@param client vim.lsp.Client
function M.tell_folders(client)
  local folders = untold[client.id]
  untold[client.id] = nil
  if folders then
    tell(client, folders)
  end
end

--- Attaches the server to a buffer, if it holds a file, and starts it if it does not run.
---@param bufnr integer
function M.attach(bufnr)
  local config = vim.deepcopy(vim.lsp.config[NAME])
  M.root_dir(bufnr, function(root)
    config.root_dir = root
    vim.lsp.start(config, { bufnr = bufnr, reuse_client = config.reuse_client })
  end)
end

--- Attaches the server to every buffer that holds a file.
function M.attach_all()
  vim.iter(api.nvim_list_bufs()):filter(M.is_file):each(M.attach)
end

--- Files whose type is not known get no FileType event, which is what `vim.lsp.enable` goes by: they are attached here.
---@param wanted boolean
function M.watch(wanted)
  local group = api.nvim_create_augroup('edit_assist.attaching', {})
  if not wanted then
    return
  end
  api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile', 'BufFilePost', 'BufWritePost' }, {
    group = group,
    desc = 'edit-assist: attach to a file whose type is not known',
    callback = function(event)
      vim.schedule(function()
        if not api.nvim_buf_is_valid(event.buf) or vim.bo[event.buf].filetype ~= '' then
          return
        end
        if #vim.lsp.get_clients({ bufnr = event.buf, name = NAME, _uninitialized = true }) == 0 then
          M.attach(event.buf)
        end
      end)
    end,
  })
  if vim.v.vim_did_enter == 1 then
    vim.schedule(M.attach_all)
  end
end

return M
