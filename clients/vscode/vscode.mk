# The VS Code extension: included by the Makefile at the top, whose $(READY) and $(BIN) it uses.

VSCODE := clients/vscode
VSCODE_TESTS := tests/editors/vscode
VSIX := $(VSCODE)/edit-assist.vsix

.PHONY: vsix test-vscode vscode-pictures

vsix: $(READY) ## build the VS Code extension: clients/vscode/edit-assist.vsix
	@sh $(VSCODE_TESTS)/build.sh $(BIN)/python
	@echo $(VSIX)

test-vscode: $(READY) ## the extension in the real VS Code (code-server, from npm, in a cache outside the checkout)
	@sh $(VSCODE_TESTS)/run.sh $(BIN)/python

vscode-pictures: $(READY) ## draw docs/images/vscode-*.png from the real VS Code
	@sh $(VSCODE_TESTS)/run.sh $(BIN)/python --pictures docs/images
