# The edit health report: its demo, its bench, and what its page needs.

.PHONY: demo-health bench-health

REPORT_READY := .venv/.report-ready
HEALTH_PAGE ?= .cache/health.html

demo-health: $(REPORT_READY) ## the edit health report of sessions that the real pi wrote; its page in .cache/health.html
	@mkdir -p $(dir $(HEALTH_PAGE))
	@$(BIN)/edit-assist-ls health fixtures/sessions --html $(HEALTH_PAGE)
	@echo
	@$(BIN)/edit-assist-ls health fixtures/sessions --compare 2026-11-01..2026-11-17 2026-11-18..

bench-health: $(READY) ## the rate at which session files are read, against json.loads
	@$(BIN)/python -m tests.bench.bench_health

unit: $(REPORT_READY)

ifeq ($(findstring --json,$(BENCH)),)
bench: bench-health
endif

$(REPORT_READY): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[report]'
	@touch $@
