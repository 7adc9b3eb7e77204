/**
 * An app from files as a person sees it: in our console, and in hosts of the official `AppBridge`. All of them
 * speak to the same real server.
 *
 * @module
 */

import type { Frame, FrameLocator, Page } from 'playwright'
import { expect } from 'vitest'
import * as z from 'zod'
import { useServer, type Server } from '../e2e/server.ts'
import { bundled, startSite, use, type Site } from './app-servers.ts'
import { useBrowser, type PageOptions } from './browser.ts'
import { allowReads, inApp, otherQuestion, putFile, toolLink, visit } from './console-actions.ts'

/** An app on a page. */
export interface Stage {
  readonly page: Page
  /** What is in the frame of the app. */
  readonly app: FrameLocator
  /** The frame itself. */
  readonly frame: () => Promise<Frame>
  /** Answers the question of a host whether the app may change a file; hosts that ask nothing need none. */
  readonly answer: (button: 'Allow' | 'Deny') => Promise<void>
  readonly close: () => Promise<void>
}

/** Where an app is shown. */
export type Place = 'the console' | 'AppBridge 2.0.4' | 'AppBridge 1.7.5'

export const PLACES: readonly Place[] = ['the console', 'AppBridge 2.0.4', 'AppBridge 1.7.5']

export interface StageOptions extends PageOptions {
  /** The host offers tools and no resources. */
  readonly onlyTools?: boolean
}

/** A server, and a way to open its apps anywhere. */
export interface Stages {
  readonly server: Server
  readonly open: (place: Place, app: string, options?: StageOptions) => Promise<Stage>
}

export function useStages(): Stages {
  const hosts = use(startHosts)
  // The hosts call the product from pages of their own.
  const server = useServer(() => ({ EDGEWISE_ORIGINS: new URL(hosts().url).origin }))
  const browser = useBrowser()

  async function inConsole(name: string, options: PageOptions): Promise<Stage> {
    const page = await visit(browser.open, server.url, toolLink(`open_${name}`, {}), options)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    allowReads(page)
    const answer = async (button: string) => {
      const question = otherQuestion(page)
      await question.waitFor()
      const choice = question.getByRole('button', { name: new RegExp(`^${ANSWERS[button]}`) })
      await choice.first().click()
      await question.waitFor({ state: 'detached' })
    }
    return stageOf(page, inApp(page), answer)
  }

  async function inBridge(generation: string, name: string, options: StageOptions) {
    const { onlyTools, ...given } = options
    const query = new URLSearchParams({
      mcp: `${server.url}/mcp`,
      tool: `open_${name}`,
      only: onlyTools ? 'tools' : '',
    })
    const page = await browser.open(`${hosts().url}/${generation}?${query}`, given)
    return stageOf(page, page.frameLocator('iframe'), async () => {})
  }

  return {
    server,
    open: (place, name, options = {}) =>
      place === 'the console'
        ? inConsole(name, options)
        : inBridge(place === 'AppBridge 2.0.4' ? 'v2' : 'v1', name, options),
  }
}

/** The beginnings of the labels, which depend on what the tool does. */
const ANSWERS: Readonly<Record<string, string>> = { Allow: '(Allow|Apply)', Deny: 'Deny' }

function stageOf(page: Page, app: FrameLocator, answer: Stage['answer']): Stage {
  const frame = async () => {
    const root = await app.locator('html').elementHandle()
    const found = await root?.ownerFrame()
    if (!found) throw new Error('The app is in no frame')
    return found
  }
  return { page, app, frame, answer, close: () => page.context().close() }
}

/** An origin with one page for each generation of the official host. */
export async function startHosts(): Promise<Site> {
  const pages = {
    '/v2': await hostPage('app-host-v2.ts'),
    '/v1': await hostPage('app-host-v1.ts'),
  }
  return startSite(({ url = '' }, response) => {
    const page = Object.entries(pages).find(([path]) => url.startsWith(path))?.[1]
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
    response.end(page ?? '')
  })
}

async function hostPage(entry: string): Promise<string> {
  const script = (await bundled(entry)).replaceAll('</script', String.raw`<\/script`)
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Official host</title>
<meta name="viewport" content="width=device-width">
<style>:root{color-scheme:light dark}body{margin:0}iframe{width:100%;height:240px;border:0}</style>
<body><script type="module">${script}</script></body></html>`
}

const Listed = z.object({ apps: z.array(z.object({ name: z.string(), revision: z.string() })) })

/** Writes the manifest of an app, and approves the app as the owner's page does. */
export async function serveApp({ url }: Server, name: string, manifest: object): Promise<void> {
  await putFile(url, `/.apps/${name}/app.json`, JSON.stringify(manifest))
  await approveApp(url, name)
}

/** Approves an app as it is now. */
export async function approveApp(url: string, name: string): Promise<void> {
  const { apps } = Listed.parse(await (await fetch(`${url}/apps`)).json())
  const { revision = '' } = apps.find((each) => each.name === name) ?? {}
  const answer = await fetch(`${url}/apps/${name}/approve`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: new URL(url).origin,
      'sec-fetch-site': 'same-origin',
    },
    body: JSON.stringify({ revision }),
  })
  expect(answer.status, await answer.text()).toBe(200)
}

/** Takes a picture of a page, if the environment names a folder for pictures. */
export async function takePicture({ page }: Stage, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
