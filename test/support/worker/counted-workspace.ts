/**
 * A workspace whose use of billed resources is counted: the real front, object, storage and bucket, each call noted.
 *
 * @module
 */

import front from '#worker/index.ts'
import {
  createExecutionContext,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
  waitOnExecutionContext,
} from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createTables, type TableGroup } from '#worker/database/table-groups.ts'
import { countRequests, countUsage, type Usage } from '../../../bench/baselines/counter.ts'
import type { CallUsage } from '#worker/tools/lib/checked-facts.ts'
import { MODERN, modernRequest, type Reply } from './client.ts'
import { holdAlarm, runAlarm } from './object-life.ts'

const SOON_MS = 60_000

const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}

/** Opens a new workspace. */
export async function countedWorkspace() {
  const name = `cost-${crypto.randomUUID().slice(0, 8)}`
  const stub = env.WORKSPACE.get(env.WORKSPACE.idFromName(name))
  let requests = 0
  const counted = { ...env, WORKSPACE: countRequests(env.WORKSPACE, () => requests++) }

  async function fetch(path: string, init: RequestInit): Promise<string> {
    const context = createExecutionContext()
    const request = new Request(`http://localhost/w/${name}${path}`, init)
    const text = await (await front.fetch(request, counted, context)).text()
    await waitOnExecutionContext(context)
    return text
  }

  /** Opens the object, whose alarms are held and whose storage is counted from then on. */
  async function open() {
    await fetch('/status', {})
    await holdAlarm(stub)
    return runInDurableObject(stub, (_, { storage }) => countUsage(storage, env.FILES))
  }
  let counter = await open()

  /** Calls a tool that is expected to succeed. */
  async function call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    meta: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    const params = { name: tool, arguments: args, _meta: { ...META, ...meta } }
    const text = await fetch('/mcp', modernRequest('tools/call', params))
    const { result }: Omit<Reply, 'status'> = JSON.parse(text)
    if (!result || result.isError) throw new Error(`${tool}: ${text}`)
  }

  /** Runs the alarms that are due soon, until none is. */
  async function settle(): Promise<void> {
    while (await isAlarmDue()) if (await runDurableObjectAlarm(stub)) requests++
  }

  const isAlarmDue = () =>
    runInDurableObject(stub, async (_, { storage }) => {
      const due = await storage.getAlarm()
      return due !== null && due < Date.now() + SOON_MS
    })

  /** Indexes what waits, and starts the object again: nothing is left in its memory. */
  async function restart(): Promise<void> {
    await settle()
    await runAlarm(stub)
    await evictDurableObject(stub)
    counter = await open()
  }

  /** Returns what was used since the last time, with the alarms that it caused. */
  async function take() {
    await settle()
    return takeAlone()
  }

  /** Returns what was used since the last time, without the alarms that are still to run. */
  async function takeAlone(): Promise<CallUsage & Usage> {
    const usage = await runInDurableObject(stub, () => counter.take())
    const taken = { requests, ...usage }
    requests = 0
    return taken
  }

  /** Creates the tables of a feature, as its first use in a workspace does. */
  const prepare = (group: TableGroup) =>
    runInDurableObject(stub, (_, { storage }) => createTables(storage.sql, group))

  return { fetch, call, restart, take, takeAlone, prepare }
}
