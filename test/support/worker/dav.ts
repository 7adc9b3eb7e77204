/**
 * A WebDAV client for tests: requests with a session link as the password, and what is in the XML of their answers.
 *
 * @module
 */

import { XML_LIMITS } from '#worker/dav/body.ts'
import { parseXml, type XmlElement } from '#worker/xml/parse.ts'
import { SELF } from 'cloudflare:test'
import { linkOf } from './attack-link.ts'
import { freshWorkspace } from './client.ts'

type Workspace = ReturnType<typeof freshWorkspace>

/** A request, beside its method and path. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: BodyInit | null
}

/** The header of a password. */
export const basic = (password: string, user = 'anyone') => `Basic ${btoa(`${user}:${password}`)}`

/** The password of the link whose client this is. */
export const passwordOf = ({ base }: { readonly base: string }) =>
  base.slice(base.lastIndexOf('/') + 1)

/** A WebDAV client of a workspace with the password of a link to it. */
export function davClient(workspace: Workspace, password: string) {
  const send = async (method: string, path: string, { headers = {}, body = null }: Sent = {}) => {
    const answer = await SELF.fetch(`${workspace.base}/dav${path}`, {
      method,
      headers: { authorization: basic(password), ...headers },
      ...(body !== null && { body }),
      ...(body instanceof ReadableStream && { duplex: 'half' }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, code: codeIn(text) }
  }
  const address = (path: string) => `${workspace.base}/dav${path}`
  const propfind = async (path: string, depth = '0', body: string | null = null) => {
    const found = await send('PROPFIND', path, { headers: { depth }, body })
    return { ...found, resources: found.status === 207 ? resourcesIn(found.text) : [] }
  }
  return { send, address, propfind, password }
}

export type DavClient = ReturnType<typeof davClient>

/** A new workspace with some files, and a client of a link to it. */
export async function davWith(
  files: Readonly<Record<string, string>> = {},
  wish: Record<string, unknown> = {},
) {
  const workspace = freshWorkspace()
  for (const [path, text] of Object.entries(files)) await workspace.put(path, text)
  const { client, session } = await linkOf(workspace, wish)
  return { workspace, link: client, session, dav: davClient(workspace, passwordOf(client)) }
}

function codeIn(text: string): unknown {
  if (!text.startsWith('{')) return null
  const body: Record<string, unknown> = JSON.parse(text)
  return body['code']
}

/** A resource of a multistatus: the texts of its properties by name, for each status. */
export interface Resource {
  readonly href: string
  readonly found: Readonly<Record<string, string>>
  readonly missing: readonly string[]
  /** The status of each property. */
  readonly statuses: Readonly<Record<string, number>>
}

const elements = (element: XmlElement | undefined): XmlElement[] =>
  element?.children.filter((node) => typeof node !== 'string') ?? []
const child = (element: XmlElement | undefined, name: string) =>
  elements(element).find(({ local }) => local === name)

/** All text in an element; the name of each element in it is in angle brackets. */
const inside = ({ children }: XmlElement): string =>
  children
    .map((node) => (typeof node === 'string' ? node : `<${node.local}>${inside(node)}`))
    .join('')

/** Reads a multistatus, which has to be well-formed. */
export function resourcesIn(text: string): Resource[] {
  const root = parseXml(text, XML_LIMITS)
  if (!root.ok) throw new Error(`${root.error}: ${text}`)
  return elements(root.value).map((response) => {
    const stats = elements(response).filter(({ local }) => local === 'propstat')
    const properties = stats.flatMap((stat) =>
      elements(child(stat, 'prop')).map((property) => ({
        name: property.local,
        text: inside(property),
        status: Number(/ (\d{3}) /.exec(inside(child(stat, 'status') ?? property))?.[1]),
      })),
    )
    const ok = properties.filter(({ status }) => status === 200)
    return {
      href: inside(child(response, 'href') ?? response),
      found: Object.fromEntries(ok.map(({ name, text: value }) => [name, value])),
      missing: properties.filter(({ status }) => status === 404).map(({ name }) => name),
      statuses: Object.fromEntries(properties.map(({ name, status }) => [name, status])),
    }
  })
}

/** A request for some properties, by names of which those of WebDAV have no prefix. */
export const asking = (...names: readonly string[]) =>
  `<?xml version="1.0"?><propfind xmlns="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:x="urn:x"><prop>${names
    .map((name) => `<${name}/>`)
    .join('')}</prop></propfind>`

/** A request that sets properties; the text is XML. */
export const setting = (xml: string) =>
  `<propertyupdate xmlns="DAV:" xmlns:x="urn:x"><set><prop>${xml}</prop></set></propertyupdate>`
