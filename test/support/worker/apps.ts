/** Apps of a workspace, and the owner's decisions on them. @module */

import type { freshWorkspace } from './client.ts'
import { recordOf } from '#core/json.ts'
import { sendDecision } from './requests.ts'

type Workspace = ReturnType<typeof freshWorkspace>

/** An app as `/apps` lists it. */
export interface ListedApp {
  readonly name: string
  readonly revision: string
  readonly state: string
  readonly manifest: Record<string, unknown> | null
  readonly problems: readonly { pointer: string; message: string }[]
  readonly files: readonly { path: string; size: number; change: string | null }[]
}

/** Lists the apps of a workspace. */
export async function listApps({ fetch }: Pick<Workspace, 'fetch'>): Promise<readonly ListedApp[]> {
  const listed = await (await fetch('/apps')).json<{ apps: ListedApp[] }>()
  return listed.apps
}

/** Finds one app. */
export async function findApp(workspace: Workspace, name: string): Promise<ListedApp> {
  const app = (await listApps(workspace)).find((one) => one.name === name)
  if (!app) throw new Error(`There is no app ${name}`)
  return app
}

/** Decides on an app from a page of this origin, or as `headers` say. */
export const decideApp = (
  workspace: Workspace,
  path: string,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
) => sendDecision(workspace, `/apps/${path}`, body, headers)

/** Approves an app as it is now. */
export async function approveApp(workspace: Workspace, name: string): Promise<void> {
  const { revision } = await findApp(workspace, name)
  const { status, body } = await decideApp(workspace, `${name}/approve`, { revision })
  if (status !== 200) throw new Error(JSON.stringify(body))
}

/** Writes the files of an app. */
export async function writeApp(
  workspace: Workspace,
  name: string,
  files: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const [file, content] of Object.entries(files))
    await workspace.put(
      `/.apps/${name}/${file}`,
      typeof content === 'string' ? content : JSON.stringify(content),
    )
}

/** Names of the tools that a client is offered and that begin with `open_`. */
export async function appTools(workspace: Workspace, meta: object = {}): Promise<string[]> {
  const { result } = await workspace.send('tools/list', {}, { meta: { ...meta } })
  const tools: unknown = Reflect.get(Object(result), 'tools')
  const names = Array.isArray(tools) ? tools.map((tool: { name: string }) => tool.name) : []
  return names.filter((name) => name.startsWith('open_'))
}

/** URIs of the resources of this workspace's apps. */
export async function appUris(workspace: Workspace): Promise<string[]> {
  const { result } = await workspace.send('resources/list')
  const resources: unknown = Reflect.get(Object(result), 'resources')
  const uris = Array.isArray(resources) ? resources.map((one: { uri: string }) => one.uri) : []
  return uris.filter((uri) => uri.startsWith('ui://') && !uri.startsWith('ui://edgewise/'))
}

/** Reads a page of an app; null if there is none for this caller. */
export async function readAppPage(workspace: Workspace, uri: string): Promise<unknown> {
  const { result } = await workspace.send('resources/read', { uri })
  const contents: unknown = Reflect.get(Object(result), 'contents')
  return Array.isArray(contents) ? contents[0] : null
}

/** The address of the page that shows the results of a tool; null if the client gets none. */
export async function viewOf(
  workspace: Pick<Workspace, 'send'>,
  tool: string,
  meta: object = {},
): Promise<string | null> {
  const { result } = await workspace.send('tools/list', {}, { meta: { ...meta } })
  const tools: unknown = Reflect.get(Object(result), 'tools')
  const listed: unknown = Array.isArray(tools) && tools.find(({ name }) => name === tool)
  const ui = recordOf(recordOf(recordOf(listed)['_meta'])['ui'])
  return typeof ui['resourceUri'] === 'string' ? ui['resourceUri'] : null
}
