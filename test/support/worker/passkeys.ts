/** The owner's passkeys over HTTP, as the console uses them: ask, then send again with the answer. @module */

import { recordOf, type JsonRecord } from '#core/json.ts'
import { PASSKEY_HEADER } from '#core/wire.ts'
import { createAuthenticator, type Authenticator, type Forgery } from '../e2e/authenticator.ts'
import type { freshWorkspace } from './client.ts'
import { FROM_OWN_PAGE } from './requests.ts'

/** A workspace of a test. */
export type Workspace = Pick<ReturnType<typeof freshWorkspace>, 'fetch' | 'base' | 'call'>

/** An answer of the server. */
export interface Answer {
  readonly status: number
  readonly body: JsonRecord
}

/** A request of the owner's page. */
export interface PageRequest {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request as a page of this origin does. */
export async function sendAsPage(
  { fetch }: Pick<Workspace, 'fetch'>,
  path: string,
  { method = 'POST', body, headers = {} }: PageRequest = {},
): Promise<Answer> {
  const response = await fetch(path, {
    method,
    headers: { 'content-type': 'application/json', ...FROM_OWN_PAGE, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: recordOf(await response.json()) }
}

/** Sends a request again with the answer to `question`. */
export async function sendProof(
  workspace: Pick<Workspace, 'fetch'>,
  path: string,
  request: PageRequest,
  answer: unknown,
): Promise<Answer> {
  const headers = { ...request.headers, [PASSKEY_HEADER]: JSON.stringify(answer) }
  return sendAsPage(workspace, path, { ...request, headers })
}

/** Sends a request and, if a passkey is needed, again with one. */
export async function sendWithPasskey(
  workspace: Pick<Workspace, 'fetch'>,
  path: string,
  request: PageRequest,
  authenticator: Authenticator,
  forgery?: Forgery,
): Promise<Answer> {
  const first = await sendAsPage(workspace, path, request)
  if (first.body['code'] !== 'PASSKEY_REQUIRED') return first
  return sendProof(
    workspace,
    path,
    request,
    await authenticator.get(first.body['passkey'], forgery),
  )
}

/** Registers a new passkey, with `existing` to permit it if there are others. */
export async function registerPasskey(
  workspace: Pick<Workspace, 'fetch'>,
  label = 'Phone',
  existing?: Authenticator,
): Promise<Authenticator> {
  const authenticator = await createAuthenticator()
  const begun = existing
    ? await sendWithPasskey(workspace, '/passkeys/begin', {}, existing)
    : await sendAsPage(workspace, '/passkeys/begin')
  const response = await authenticator.create(begun.body)
  const done = await sendAsPage(workspace, '/passkeys', { body: { label, response } })
  if (done.status !== 200) throw new Error(JSON.stringify([begun, done]))
  return authenticator
}

/** Replaces the rules of a workspace. */
export const configure = (workspace: Pick<Workspace, 'fetch'>, config: unknown) =>
  sendAsPage(workspace, '/config', { method: 'PUT', body: config })

/** The audit entries of an act, newest first. */
export async function auditOf({ fetch }: Pick<Workspace, 'fetch'>, tool: string) {
  const body = recordOf(await (await fetch('/audit?limit=100')).json())
  const entries = Array.isArray(body['entries']) ? body['entries'].map(recordOf) : []
  return entries.filter((entry) => entry['tool'] === tool)
}

/** The id of the only passkey that has this name. */
export async function idOf({ fetch }: Pick<Workspace, 'fetch'>, label: string): Promise<string> {
  const { passkeys } = recordOf(await (await fetch('/passkeys')).json())
  const found = Array.isArray(passkeys)
    ? passkeys.map(recordOf).find((one) => one['label'] === label)
    : undefined
  if (!found) throw new Error(`There is no passkey ${label}`)
  return String(found['id'])
}
