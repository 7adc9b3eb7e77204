/**
 * A hostile app: it performs the handshake correctly, and then runs the attacks that the test names.
 *
 * @module
 */

import { CHANNELS, CONNECTIONS, DEPARTURES } from './exfiltration.ts'
import { fields, pause, type Fields } from './conformance/outcome.ts'
import { openWire } from './conformance/wire.ts'
import { probeIsolation } from './isolation-probes.ts'
import { MALFORMED_MESSAGES } from './malformed-messages.ts'

const wire = openWire(window.parent)

/** Tries one exfiltration channel. Errors are ignored, because a blocked channel may throw. */
async function leak(name: string, url: string): Promise<void> {
  await attempt(() =>
    Promise.race([{ ...CHANNELS, ...CONNECTIONS, ...DEPARTURES }[name]?.(url), pause(500)]),
  )
}

async function attempt(act: () => unknown): Promise<void> {
  try {
    await act()
  } catch {
    // Only the effect matters, not whether it throws.
  }
}

/** Posts malformed messages of one kind, as far as the browser can clone them. */
async function postMalformed(name: string): Promise<void> {
  for (const message of MALFORMED_MESSAGES[name]?.() ?? []) await attempt(() => wire.post(message))
}

async function connect(): Promise<Fields> {
  const answer = await wire.request('ui/initialize', {
    appInfo: { name: 'attack', version: '1' },
    appCapabilities: { tools: {}, availableDisplayModes: ['inline', 'fullscreen'] },
    protocolVersion: '2026-01-26',
  })
  wire.notify('ui/notifications/initialized')
  return answer.type === 'result' ? answer.result : fields(null)
}

const driver = { wire, leak, attempt, postMalformed, probeIsolation, pause, initialized: connect() }

declare global {
  // oxlint-disable-next-line no-var -- the only word that declares a global
  var attack: typeof driver
}

globalThis.attack = driver
