/**
 * The acts on folders that the owner approves as a whole, by their kind: apps and skills.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import type { ShownApp } from '#core/owner/answers/apps.ts'
import type { ShownSkill } from '#core/owner/answers/skills.ts'
import { sendAct, urlOfAct } from '../owner/send-act.ts'

/** What a person is shown of a folder of any kind. */
export type ShownFolder = Omit<ShownApp, 'manifest'> & Pick<ShownApp | ShownSkill, 'manifest'>

/** What a decision names. */
interface Answered {
  readonly revision: string
  readonly unseen?: readonly string[]
}

type Query = Readonly<Record<string, string>>

/** The acts on the folders of one kind. `base` is the path of the workspace. */
export interface FolderActs {
  /** What a folder is called. */
  readonly noun: 'app' | 'skill'
  readonly approve: (base: string, name: string, body: Answered) => Promise<unknown>
  readonly turnDown: (base: string, name: string, body: Answered) => Promise<unknown>
  readonly withdraw: (base: string, name: string) => Promise<unknown>
  /** Compares a file with its state at the last approval. */
  readonly compare: (
    base: string,
    name: string,
    given: { readonly query: Query; readonly signal: AbortSignal },
  ) => Promise<{ readonly file: JsonRecord }>
  /** The address of the bytes of a file. */
  readonly addressOf: (base: string, name: string, query: Query) => string
}

/** The acts on apps. */
export const APP_ACTS: FolderActs = {
  noun: 'app',
  approve: (base, app, body) => sendAct(base, 'approve_app', { segments: { app }, body }),
  turnDown: (base, app, body) => sendAct(base, 'turn_down_app', { segments: { app }, body }),
  withdraw: (base, app) => sendAct(base, 'withdraw_app', { segments: { app }, body: {} }),
  compare: (base, app, given) => sendAct(base, 'compare_app_file', { segments: { app }, ...given }),
  addressOf: (base, app, query) => urlOfAct(base, 'open_app_file', { segments: { app }, query }),
}

/** The acts on skills. */
export const SKILL_ACTS: FolderActs = {
  noun: 'skill',
  approve: (base, skill, body) => sendAct(base, 'approve_skill', { segments: { skill }, body }),
  turnDown: (base, skill, body) => sendAct(base, 'turn_down_skill', { segments: { skill }, body }),
  withdraw: (base, skill) => sendAct(base, 'withdraw_skill', { segments: { skill }, body: {} }),
  compare: (base, skill, given) =>
    sendAct(base, 'compare_skill_file', { segments: { skill }, ...given }),
  addressOf: (base, skill, query) =>
    urlOfAct(base, 'open_skill_file', { segments: { skill }, query }),
}
