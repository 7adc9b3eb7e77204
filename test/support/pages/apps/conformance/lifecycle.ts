/**
 * Checks of the beginning: the handshake, the gate that it opens, and the tool call that is shown.
 *
 * @module
 */

import {
  answered,
  fail,
  fields,
  holds,
  info,
  pass,
  shown,
  timeout,
  until,
  type Check,
  type Run,
} from './outcome.ts'

const INPUT = 'ui/notifications/tool-input'
const PARTIAL = 'ui/notifications/tool-input-partial'
const RESULT = 'ui/notifications/tool-result'

export const PROTOCOL = '2026-01-26'

/** How long a second message is waited for that should not come. */
const SETTLED_MS = 300

export const LIFECYCLE: readonly Check[] = [
  {
    id: 'lifecycle/initialize-capabilities',
    clause: 'MUST',
    title: 'ui/initialize is answered with version, host, capabilities and context',
    run: ({ initialized }) =>
      answered(initialized, (result) => {
        const host = fields(result['hostInfo'])
        const wrong = [
          result['protocolVersion'] !== PROTOCOL && `version ${shown(result['protocolVersion'])}`,
          typeof host['name'] !== 'string' && 'no hostInfo.name',
          typeof host['version'] !== 'string' && 'no hostInfo.version',
          !isObject(result['hostCapabilities']) && 'no hostCapabilities',
          !isObject(result['hostContext']) && 'no hostContext',
        ].filter((text) => text !== false)
        return holds(
          wrong.length === 0,
          wrong.join(', ') || `${shown(host['name'])} ${shown(host['version'])}`,
        )
      }),
  },
  {
    id: 'edge/ping-before-initialize',
    clause: 'MUST',
    title: 'ping is answered before ui/initialize',
    run: ({ early }) => answered(early, () => pass()),
  },
  {
    id: 'edge/B1-gate',
    clause: 'MUST',
    title: 'Nothing comes before ui/notifications/initialized',
    run({ wire, openedAt }) {
      const early = wire.received.filter(({ at, message }) => at < openedAt && 'method' in message)
      return holds(
        early.length === 0,
        early.map(({ message }) => shown(message['method'])).join(', '),
      )
    },
  },
  {
    id: 'lifecycle/tool-input',
    clause: 'MUST',
    title: 'tool-input comes with the arguments of the call',
    async run({ wire, config }) {
      if (!(await until(() => wire.of(INPUT).length > 0, config.patienceMs)))
        return timeout('no tool-input')
      const { arguments: given } = fields(wire.of(INPUT)[0]?.message['params'])
      return holds(isObject(given), shown(given))
    },
  },
  {
    id: 'lifecycle/tool-result',
    clause: 'MUST',
    title: 'tool-result comes when the call is done',
    async run({ wire, config }) {
      if (!(await until(() => wire.of(RESULT).length > 0, config.patienceMs)))
        return timeout('no tool-result')
      const { content } = fields(wire.of(RESULT)[0]?.message['params'])
      return holds(Array.isArray(content), shown(content))
    },
  },
  {
    id: 'lifecycle/tool-input-partial',
    clause: 'MAY',
    title: 'tool-input-partial shows the arguments while they are written',
    run: ({ wire }) => info(`${wire.of(PARTIAL).length} came`),
  },
  {
    id: 'lifecycle/tool-input-partial-stop',
    clause: 'MUST',
    title: 'tool-input-partial stops once tool-input has come (B3)',
    async run({ wire }) {
      await until(() => false, SETTLED_MS)
      const input = wire.of(INPUT)[0]?.at ?? Infinity
      return holds(
        wire.of(PARTIAL).every(({ at }) => at <= input),
        '',
      )
    },
  },
  {
    id: 'edge/B2-once-and-first',
    clause: 'MUST',
    title: 'tool-input comes once, and before tool-result',
    run({ wire }) {
      const inputs = wire.of(INPUT)
      if (inputs.length !== 1) return fail(`tool-input came ${inputs.length} times`)
      const order = wire.received.map(({ message }) => message['method'])
      return holds(order.indexOf(INPUT) < order.indexOf(RESULT) || !order.includes(RESULT), '')
    },
  },
  {
    id: 'edge/B15-unknown-version',
    clause: 'MUST',
    title: 'An unknown protocol version is answered with the one that the host speaks',
    run: async (run) =>
      answered(await initializeAgain(run), ({ protocolVersion }) =>
        holds(protocolVersion === PROTOCOL, shown(protocolVersion)),
      ),
  },
  {
    id: 'edge/B16-initialize-twice',
    clause: 'MUST',
    title: 'A second ui/initialize is answered, and tool-input does not come again',
    async run(run) {
      const before = run.wire.of(INPUT).length
      const answer = await initializeAgain(run)
      run.wire.notify('ui/notifications/initialized')
      await until(() => run.wire.of(INPUT).length > before, SETTLED_MS)
      const again = run.wire.of(INPUT).length - before
      return answered(answer, () => holds(again === 0, `${again} more`))
    },
  },
]

function initializeAgain({ wire, config }: Run) {
  return wire.request('ui/initialize', {
    appInfo: { name: 'conformance', version: '1.0.0' },
    appCapabilities: { availableDisplayModes: config.displayModes },
    protocolVersion: '1999-01-01',
  })
}

const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
