# The soak: included by the Makefile at the top, whose $(READY) and $(BIN) it uses.

.PHONY: soak

soak: $(READY) ## 20,000 calls from 4 agents with 3 editors attached, on one ledger: nothing lost, memory flat
	@$(BIN)/python -m tests.soak
