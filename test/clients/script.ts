/**
 * The steps for every client, and the results that the model has to receive.
 *
 * The versions that later steps name are taken from earlier results that the model received, never from the
 * server: an edit that is accepted proves that the version reached the model.
 *
 * @module
 */

import type { ModelInput, Reading } from './model-input.ts'
import type { Workspace } from './workspace.ts'

export const STEPS = [
  'list',
  'write',
  'read',
  'refused read',
  'conflict',
  'edit',
  'move',
  'delete',
  'image',
  'long answer',
  'go on',
  'resources',
] as const

export type Step = (typeof STEPS)[number]

export interface Call {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** Results of the previous steps. */
export type Before = ReadonlyMap<Step, ModelInput>

export interface Scene {
  readonly step: Step
  readonly call: (before: Before) => Call
  /** Describes the fault of a result; undefined without one. */
  readonly check: (handed: ModelInput, workspace: Workspace) => Promise<string | undefined>
}

const NOTE = '/note.txt'
const MOVED = '/moved.txt'
const MISSING: Call = { name: 'read_file', args: { path: '/missing.txt' } }
const CONFLICT: Call = {
  name: 'write_file',
  args: { path: NOTE, content: 'lost\n', if_version: 0 },
}

export const SCENES: readonly Scene[] = [
  {
    step: 'write',
    call: () => ({ name: 'write_file', args: { path: NOTE, content: 'alpha\nbeta\n' } }),
    check: (handed, workspace) => checkChange(handed, workspace, NOTE),
  },
  {
    step: 'read',
    call: () => ({ name: 'read_file', args: { path: NOTE } }),
    check: async (handed, workspace) =>
      refused(handed) ??
      lacks(handed, '1: alpha') ??
      lacksVersion(handed, await workspace.version(NOTE)),
  },
  {
    step: 'refused read',
    call: () => MISSING,
    check: (handed, workspace) => checkRefusal(handed, workspace, MISSING),
  },
  {
    step: 'conflict',
    call: () => CONFLICT,
    check: (handed, workspace) => checkRefusal(handed, workspace, CONFLICT),
  },
  {
    step: 'edit',
    call: (before) => ({
      name: 'edit_file',
      args: { path: NOTE, edits: [{ find: 'beta', replace: 'gamma' }], ...since(before, 'read') },
    }),
    check: (handed, workspace) => checkChange(handed, workspace, NOTE),
  },
  {
    step: 'move',
    call: (before) => ({
      name: 'move_file',
      args: { from: NOTE, to: MOVED, ...since(before, 'edit') },
    }),
    check: (handed, workspace) => checkChange(handed, workspace, MOVED),
  },
  {
    step: 'delete',
    call: (before) => ({ name: 'delete_file', args: { path: MOVED, ...since(before, 'move') } }),
    check: async (handed) => refused(handed) ?? noise(handed),
  },
  {
    step: 'image',
    call: () => ({ name: 'read_file', args: { path: '/picture.png' } }),
    check: async (handed, { picture }) =>
      refused(handed) ??
      inAny(handed, ({ images }) => (images.includes(picture) ? undefined : 'no image')),
  },
  {
    step: 'long answer',
    call: () => ({ name: 'read_file', args: { path: '/long.txt', limit: 0 } }),
    check: async (handed) => refused(handed) ?? inAny(handed, cutOff),
  },
  {
    step: 'go on',
    call: (before) => ({
      name: 'read_file',
      args: { path: '/long.txt', start_line: wayOn(before.get('long answer')) ?? 1, limit: 2 },
    }),
    check: async (handed) =>
      refused(handed) ??
      (/line (?!1 )\d+ of many/.test(JSON.stringify(handed)) ? undefined : 'no more lines'),
  },
]

async function checkChange(handed: ModelInput, workspace: Workspace, path: string) {
  return refused(handed) ?? noise(handed) ?? lacksVersion(handed, await workspace.version(path))
}

async function checkRefusal(handed: ModelInput, workspace: Workspace, call: Call) {
  const { sentence, code } = await workspace.refusal(call)
  if (handed.threw !== undefined && !handed.threw.includes(sentence)) return `threw ${handed.threw}`
  if (handed.threw !== undefined) return undefined
  return lacks(handed, sentence) ?? lacks(handed, code)
}

/** A call that succeeded on the server and that the model has to see as a success. */
function refused({ readings, failed, threw }: ModelInput): string | undefined {
  if (threw !== undefined) return `threw ${threw}`
  const [first] = readings
  if (first === undefined) return 'nothing was handed to the model'
  return failed === true || /^\W*error\b/i.test(first.text)
    ? `shown as an error: ${first.text.slice(0, 200)}`
    : undefined
}

const MAX_SHOWN_CHANGE = 1000

/** A model that cannot show a view has no use for its address, nor for hunks. */
function noise(handed: ModelInput): string | undefined {
  return inAny(handed, ({ text }) => {
    if (/ui:\/\/|resource_link/.test(text)) return 'links to views'
    return text.length > MAX_SHOWN_CHANGE ? `${text.length} characters` : undefined
  })
}

/** Claude Code puts answers of about 50,000 characters into a file beside the conversation. */
const MAX_SHOWN = 48_000

/** Some clients hand over the text and the structured content, so all of it twice. */
function cutOff({ text }: Reading): string | undefined {
  const times = text.split('line 1 of many').length - 1
  if (text.length > MAX_SHOWN * times) return `${text.length} characters`
  return WAY_ON.test(text) ? undefined : 'does not say how to go on'
}

const WAY_ON = /start_line["' :=]+(?!1\b)(\d+)/

function wayOn(handed: ModelInput | undefined): number | undefined {
  const found = handed?.readings.map(({ text }) => WAY_ON.exec(text)?.[1]).find(Boolean)
  return found === undefined ? undefined : Number(found)
}

/** Not one with dots in it: that is the version of a program. */
const VERSION = /\bversion\\?["']?\D{0,4}(\d+)(?![\d.])/i

function since(before: Before, step: Step): { if_version?: number } {
  const readings = before.get(step)?.readings ?? []
  const found = readings.map(({ text }) => VERSION.exec(text)?.[1]).find(Boolean)
  return found === undefined ? {} : { if_version: Number(found) }
}

function lacksVersion(handed: ModelInput, version: number): string | undefined {
  return inAny(handed, ({ text }) =>
    VERSION.exec(text)?.[1] === String(version) ? undefined : `no version ${version}`,
  )
}

function lacks(handed: ModelInput, wanted: string): string | undefined {
  const escaped = JSON.stringify(wanted).slice(1, -1)
  return inAny(handed, ({ text }) =>
    [wanted, escaped].some((form) => text.includes(form)) ? undefined : `no "${wanted}"`,
  )
}

function inAny({ readings }: ModelInput, wrong: (reading: Reading) => string | undefined) {
  if (readings.length === 0) return 'nothing was handed to the model'
  return readings.map(wrong).find((found) => found !== undefined)
}
