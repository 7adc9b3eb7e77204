/** Checks of the host's context, its size and its display modes. @module */

import {
  answered,
  fail,
  fields,
  holds,
  info,
  pass,
  shown,
  until,
  type Check,
  type Run,
} from './outcome.ts'

/** Fields that a host should provide from the start. */
const EXPECTED = ['theme', 'displayMode', 'availableDisplayModes', 'locale', 'timeZone', 'platform']

const MODES = ['inline', 'fullscreen', 'pip']

export const CONTEXT: readonly Check[] = [
  {
    id: 'context/initialize-hostcontext',
    clause: 'SHOULD',
    title: 'The context says theme, display modes, locale, time zone and platform',
    run({ initialized }) {
      return answered(initialized, (result) => {
        const context = fields(result['hostContext'])
        const missing = EXPECTED.filter((name) => !(name in context))
        const detail = missing.length > 0 ? `missing ${missing.join(', ')}` : named(context)
        return holds(missing.length === 0, detail)
      })
    },
  },
  {
    id: 'dimensions/listen-size-changed',
    clause: 'MUST',
    title: 'On a flexible axis the frame follows size-changed',
    async run({ wire, config, context }) {
      const dimensions = fields(context()['containerDimensions'])
      if ('height' in dimensions) return info(`fixed height ${shown(dimensions['height'])}`)
      const limit = Number(dimensions['maxHeight'] ?? Infinity)
      const height = Math.min(window.innerHeight === 420 ? 560 : 420, limit)
      wire.notify('ui/notifications/size-changed', { height })
      const followed = await until(
        () => Math.abs(window.innerHeight - height) <= 2,
        config.patienceMs,
      )
      return holds(followed, `asked for ${height}, is ${window.innerHeight}`)
    },
  },
  {
    id: 'display/return-resulting-mode',
    clause: 'MUST',
    title: 'A mode that both offer is applied, returned and reported in the context',
    async run(run) {
      const mode = offered(run).find((name) => name !== run.context()['displayMode'])
      if (mode === undefined) return info('the host offers one mode')
      const outcome = await taken(run, mode)
      await taken(run, 'inline')
      return outcome
    },
  },
  {
    id: 'display/no-undeclared-mode',
    clause: 'MUST NOT',
    title: 'A mode that this page did not declare is never applied (B6)',
    async run(run) {
      const mode = MODES.find((name) => !run.config.displayModes.includes(name))
      return mode === undefined ? info('this page declares every mode') : refused(run, mode)
    },
  },
  {
    id: 'display/unavailable-returns-current',
    clause: 'SHOULD',
    title: 'Asking for a mode that the host lacks answers the current one (B5)',
    async run(run) {
      const modes = run.context()['availableDisplayModes']
      const mode = MODES.find((name) => Array.isArray(modes) && !modes.includes(name))
      return mode === undefined ? info('the host offers every mode') : refused(run, mode)
    },
  },
  {
    id: 'display/decline-undeclared',
    clause: 'MAY',
    title: 'A mode that does not exist is declined',
    async run({ wire, context }) {
      const answer = await wire.request('ui/request-display-mode', { mode: 'hologram' })
      if (answer.type === 'late') return fail('no answer')
      return holds(context()['displayMode'] !== 'hologram', shown(answer))
    },
  },
]

const named = (context: object) => Object.keys(context).join(', ')

/** The modes that page and host both offer. */
function offered({ config, context }: Run): readonly string[] {
  const modes = context()['availableDisplayModes']
  return config.displayModes.filter((mode) => Array.isArray(modes) && modes.includes(mode))
}

async function taken({ wire, config, context }: Run, mode: string) {
  const answer = await wire.request('ui/request-display-mode', { mode })
  await until(() => context()['displayMode'] === mode, config.patienceMs)
  return answered(answer, (result) => {
    const current = context()['displayMode']
    const same = result['mode'] === mode && current === mode
    return holds(
      same,
      `asked ${mode}, answered ${shown(result['mode'])}, context ${shown(current)}`,
    )
  })
}

async function refused({ wire, context }: Run, mode: string) {
  const before = context()['displayMode']
  const answer = await wire.request('ui/request-display-mode', { mode })
  await until(() => context()['displayMode'] === mode, 200)
  if (context()['displayMode'] === mode) return fail(`${mode} was applied`)
  return answered(answer, (result) =>
    result['mode'] === before ? pass(`${mode} gave ${shown(before)}`) : fail(shown(result)),
  )
}
