---@brief
--- The configuration of the language server `edit-assist-ls`: `:help edit-assist`.
--- It is attached to every file, whatever its type, once `vim.lsp.enable('edit_assist_ls')` was called.

---@type vim.lsp.Config
return require('edit_assist.client').config()
