/** What a client's file provides, and the record of a drive through all steps. @module */

import { describe, threw, type ModelInput } from './model-input.ts'
import { SCENES, type Before, type Call, type Scene, type Step } from './script.ts'
import type { Workspace } from './workspace.ts'

export interface Session {
  /** Names of the tools that the model receives, without the prefix of the client. */
  tools(): Promise<readonly string[]>
  /** Returns the result of a call as the model receives it. */
  call(call: Call): Promise<ModelInput>
  /** URIs of the resources; absent where the client has none. */
  resources?(): Promise<readonly string[]>
  readResource?(uri: string): Promise<string>
  close(): Promise<void>
}

/** A client that is driven as a whole, in steps of its own. */
export type Examine = (workspace: Workspace, mode: string) => Promise<Cells>

export interface Driver {
  open(workspace: Workspace, mode: string): Promise<Session>
}

/** The fault of each step, or `null`; steps that a client does not support are absent. */
export type Cells = Readonly<Partial<Record<string, string | null>>>

/** Before the record, in the last line that a drive prints. */
export const RECORD = 'record: '

const MAX_STEP_MS = 45_000

/** Drives a client through all steps. */
export async function record(driver: Driver, workspace: Workspace, mode: string): Promise<Cells> {
  const session = await driver.open(workspace, mode)
  try {
    const cells: Partial<Record<Step, string | null>> = {
      list: await judged(() => checkList(session, workspace)),
    }
    const before = new Map<Step, ModelInput>()
    for (const scene of SCENES) cells[scene.step] = await play(session, workspace, scene, before)
    if (session.resources) cells.resources = await judged(() => checkResources(session, workspace))
    return cells
  } finally {
    await session.close().catch(() => {})
  }
}

async function play(
  session: Session,
  workspace: Workspace,
  { step, call, check }: Scene,
  before: Map<Step, ModelInput>,
): Promise<string | null> {
  const handed = await timely(session.call(call(before as Before))).catch(threw)
  if (process.env['CLIENTS_DEBUG']) console.error(step, JSON.stringify(handed).slice(0, 1500))
  before.set(step, handed)
  return judged(() => check(handed, workspace))
}

export const judged = async (check: () => Promise<string | undefined>): Promise<string | null> =>
  (await timely(check()).catch(describe)) ?? null

async function timely<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer in ${MAX_STEP_MS} ms`)), MAX_STEP_MS)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

async function checkList(session: Session, workspace: Workspace): Promise<string | undefined> {
  const names = await session.tools()
  const missing = workspace.modelVisible.filter((name) => !names.includes(name))
  const extra = workspace.appOnly.filter((name) => names.includes(name))
  if (missing.length > 0) return `missing: ${missing.join(', ')}`
  return extra.length > 0 ? `tools for views alone: ${extra.join(', ')}` : undefined
}

const KEPT = 'file:///kept.txt'

async function checkResources(session: Session, { url }: Workspace): Promise<string | undefined> {
  const uris = (await session.resources?.()) ?? []
  if (!uris.includes(KEPT)) return `${KEPT} is not among ${uris.length} resources of ${url}`
  const text = await session.readResource?.(KEPT)
  return text?.includes('kept') === false ? `read as ${text.slice(0, 100)}` : undefined
}
