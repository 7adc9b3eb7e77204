/**
 * A page that judges the host in which it runs.
 *
 * It does everything by itself that a page can do, one check after the other, and then waits for what
 * a person or a test has to bring about. The table goes to the server's tool `conformance_report` and
 * into the model's context after every change.
 *
 * @module
 */

import { ASKS } from './requests.ts'
import { CALLS } from './calls.ts'
import { CONTEXT } from './context.ts'
import { awaitLater, LATER, merged } from './later.ts'
import { LIFECYCLE, PROTOCOL } from './lifecycle.ts'
import { fields, pause, type Check, type Config, type Outcome, type Run } from './outcome.ts'
import { SECURITY } from './security.ts'
import { draw, type Row } from './table.ts'
import { openWire } from './wire.ts'

const CHECKS: readonly Check[] = [...LIFECYCLE, ...CONTEXT, ...CALLS, ...ASKS, ...SECURITY]

/** Checks that would disturb the others come last. */
const LAST = ['edge/B15-unknown-version', 'edge/B16-initialize-twice']

/** How long the gate stays shut, so that a host that does not wait for it shows itself. */
const GATE_MS = 300

const config = JSON.parse(document.querySelector('#config')?.textContent ?? '') as Config
const wire = openWire(window.parent)

const rows = new Map<string, Row>()
for (const { id, clause, title } of CHECKS)
  rows.set(id, { id, clause, title, status: 'NOTRUN', detail: '' })
for (const { id, clause, title, wanted } of LATER)
  rows.set(id, { id, clause, title, status: 'NOTRUN', detail: wanted })

let host = 'Waiting for a host'
let finished = false

function settle(id: string, outcome: Outcome): void {
  const row = rows.get(id)
  if (row) rows.set(id, { ...row, ...outcome })
  draw([...rows.values()], host)
}

async function save(): Promise<void> {
  const report = { finished, host, results: [...rows.values()] }
  document.body.dataset['report'] = JSON.stringify(report)
  if (!finished) return
  await wire.request('tools/call', { name: 'conformance_report', arguments: report })
}

async function begin(): Promise<Run> {
  let context: Readonly<Record<string, unknown>> = {}
  wire.on('ui/notifications/host-context-changed', async (params) => {
    context = merged(context, params)
    show(context)
    settle('context/context-changed', { status: 'PASS', detail: JSON.stringify(params) })
    await save()
  })
  const early = await wire.request('ping')
  const initialized = await wire.request('ui/initialize', {
    appInfo: { name: 'conformance', version: '1.0.0' },
    appCapabilities: { availableDisplayModes: config.displayModes },
    protocolVersion: PROTOCOL,
  })
  const answer = initialized.type === 'result' ? initialized.result : {}
  context = merged(answer['hostContext'] as object, {})
  show(context)
  const { name, version } = fields(answer['hostInfo'])
  host = `${String(name)} ${String(version)}`
  await pause(GATE_MS)
  const openedAt = performance.now()
  wire.notify('ui/notifications/initialized')
  const capabilities = fields(answer['hostCapabilities'])
  return { wire, config, early, initialized, openedAt, capabilities, context: () => context }
}

/** The host's theme and style variables, and no others. */
function show(context: Readonly<Record<string, unknown>>): void {
  const { theme } = context
  const { style } = document.documentElement
  if (theme === 'light' || theme === 'dark') style.colorScheme = theme
  for (const [name, value] of Object.entries(fields(fields(context['styles'])['variables'])))
    if (name.startsWith('--') && typeof value === 'string') style.setProperty(name, value)
}

async function runAll(run: Run): Promise<void> {
  const late = CHECKS.filter(({ id }) => LAST.includes(id))
  for (const check of [...CHECKS.filter(({ id }) => !LAST.includes(id)), ...late])
    settle(check.id, await outcomeOf(check, run))
}

/** A check that throws has found something, too. */
async function outcomeOf({ run: check }: Check, run: Run): Promise<Outcome> {
  try {
    return await check(run)
  } catch (error) {
    return { status: 'FAIL', detail: String(error) }
  }
}

draw([...rows.values()], host)
const run = await begin()
awaitLater(run, settle, save)
await runAll(run)
finished = true
await save()
new ResizeObserver(() => {
  const { height } = document.documentElement.getBoundingClientRect()
  wire.notify('ui/notifications/size-changed', { height: Math.ceil(height) })
}).observe(document.documentElement)
