/**
 * A workspace under load, and the agents in it: with and without a session, of both eras, behind a
 * link, and behind a delegated link.
 *
 * @module
 */

import { ask } from '../e2e/raw-http.ts'
import { createAgent, type Agent } from './load-agent.ts'
import { createClient, type Client, type Era } from './load-client.ts'
import type { Worker } from './load-schedule.ts'
import { createAuditModel } from './load-audit.ts'
import { createPrivateFiles, type Own, type Work } from './load-private-files.ts'
import { assertAuditLog, assertExport, type Wanted } from './load-verify.ts'
import { createSharedFiles } from './load-shared-files.ts'
import type { Statistics } from './load-statistics.ts'

/** Kept versions of each file: few, so that old content is deleted all the time. */
const VERSIONS = 8

const CHANGES_PAGE = 200

export type LoadedWorkspace = Awaited<ReturnType<typeof createWorkspace>>

export async function createWorkspace(
  origin: string,
  name: string,
  seed: number,
  tally: Statistics,
) {
  const url = `${origin}/w/${name}`
  const port = Number(new URL(origin).port)
  const ledger = createAuditModel()
  const shared = createSharedFiles()
  const clients: Client[] = []

  async function clientAt(mcp: string, era: Era): Promise<Client> {
    const client = await createClient({ port, mcp, files: `/w/${name}/files`, era }, tally)
    clients.push(client)
    return client
  }

  const local = await clientAt(`/w/${name}/mcp`, 'modern')
  await send('PUT', '/config', { history_versions: VERSIONS })
  const link = pathOf(await send('POST', '/sessions', { label: 'load' }))
  const parent = await clientAt(link, 'modern')
  const handed = await parent.call('delegate', { label: 'handed on' })
  ledger.applied(1, 'delegate')
  const doors = [
    local,
    parent,
    await clientAt(link, 'modern'),
    await clientAt(link, 'legacy'),
    await clientAt(`/w/${name}/mcp`, 'legacy'),
    await clientAt(pathOf(handed.ok ? handed.structured : {}), 'modern'),
  ]
  const agents = doors.map((client, at) =>
    createAgent({ name: `agent${at}`, seed: seed + at, client, ledger, tally }),
  )
  const [first] = agents
  if (first) await shared.begin(first)
  const owns: Own[] = []
  for (const agent of agents) owns.push(await createPrivateFiles(agent))
  const workers = agents.map((agent, at) =>
    workerOf(agent, [...(owns[at]?.works ?? []), ...shared.worksOf(agent)], tally),
  )

  async function send(method: string, path: string, body: unknown): Promise<unknown> {
    const headers = { 'content-type': 'application/json' }
    const response = await ask(url + path, { method, headers, body: JSON.stringify(body) })
    ledger.noted()
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return response.json()
  }

  async function* changes() {
    for (let before: number | undefined; ;) {
      const query = { limit: CHANGES_PAGE, ...(before !== undefined && { before }) }
      const page = await local.call('list_changes', query)
      if (!page.ok) throw new Error(`list_changes: ${page.code}`)
      const { changes, next } = page.structured
      yield* changes as { version: number; tool: string }[]
      if (typeof next !== 'number') return
      before = next
    }
  }

  function wanted(): Wanted {
    const all = new Map<string, string | null>([
      ['/own', null],
      ['/shared', null],
      ...shared.texts(),
    ])
    for (const own of owns) for (const [path, file] of own.tree()) all.set(path, file?.text ?? null)
    return all
  }

  /** Compares the contents with the expected ones. Returns the number of paths. */
  async function verifyWorkspace(): Promise<number> {
    const all = wanted()
    const json = async (path: string): Promise<Record<string, unknown>> =>
      (await ask(url + path)).json() as Promise<Record<string, unknown>>
    await assertAuditLog(json, changes, ledger, all)
    return assertExport(url, all)
  }

  const close = () => clients.forEach((client) => client.close())
  return { workers, verifyWorkspace, close, changes: () => ledger.tools.size }
}

/** The path of the link in an answer. */
function pathOf(answer: unknown): string {
  const { url } = answer as { url: string }
  return new URL(url).pathname
}

/** An agent that performs one action after the other until a check fails. */
function workerOf(agent: Agent, works: readonly Work[], tally: Statistics): Worker {
  const total = works.reduce((sum, [weight]) => sum + weight, 0)
  const next = () => {
    let at = agent.upTo(total)
    return works.find(([weight]) => (at -= weight) < 0)?.[1]
  }
  return async () => {
    try {
      await next()?.()
      return true
    } catch (error) {
      // What it knows of its files may no longer be so.
      tally.fault(agent.name, error)
      return false
    }
  }
}
