/**
 * The approval dialog as a person uses it. Its tree is closed to the page and to Playwright's locators, so
 * what is in it is read through the developer tools, and answered with the real mouse.
 *
 * @module
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { CDPSession, Frame, Page } from 'playwright'

interface DomNode {
  readonly nodeName: string
  readonly nodeValue: string
  readonly backendNodeId: number
  readonly attributes?: readonly string[]
  readonly children?: readonly DomNode[]
  readonly shadowRoots?: readonly DomNode[]
  readonly contentDocument?: DomNode
}

export interface Question {
  readonly text: string
  readonly role: string
  readonly marks: readonly string[]
  readonly badges: readonly string[]
  readonly buttons: readonly string[]
  /** The buttons that take no press yet. */
  readonly disabled: readonly string[]
  readonly node: DomNode
}

/** Longer than the dialog waits before it takes a yes. */
export const STEADY_MS = 900

/** Waits for the dialog. */
export async function question(page: Page, frame?: Frame): Promise<Question> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const found = await questionNow(page, frame)
    if (found) return found
    await page.waitForTimeout(100)
  }
  throw new Error('No dialog was shown')
}

export async function questionNow(page: Page, frame?: Frame): Promise<Question | null> {
  return inspecting(page, frame, async (session) => {
    const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true })
    const dialog = all(root).find(({ nodeName, attributes }) => {
      return nodeName === 'DIALOG' && attributes?.includes('alertdialog')
    })
    if (!dialog) return null
    const named = (name: string) => all(dialog).filter(({ nodeName }) => nodeName === name)
    const texts = (name: string) => named(name).map(textOf)
    return {
      text: textOf(dialog),
      role: 'alertdialog',
      marks: texts('MARK'),
      badges: texts('I'),
      buttons: texts('BUTTON'),
      disabled: named('BUTTON').filter(isDisabled).map(textOf),
      node: dialog,
    }
  })
}

/** Reads the notice of a call that needed no approval; null without one. */
export async function noticeIn(page: Page): Promise<string | null> {
  return inspecting(page, undefined, async (session) => {
    const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true })
    const notice = all(root).find(({ nodeName }) => nodeName === 'ASIDE')
    return notice ? textOf(notice) : null
  })
}

/**
 * Presses a button of the dialog when it takes a press, and again while the same dialog is still
 * there: on a busy machine the dialog can be disturbed between its look and the click.
 */
export async function answer(page: Page, label: string, frame?: Frame): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt++) {
    const { backendNodeId } = (await enabled(page, label, frame)).node
    await press(page, label, frame)
    const isAnswered = async () => {
      const now = page.isClosed() ? null : await questionNow(page, frame).catch(() => null)
      return now?.node.backendNodeId !== backendNodeId
    }
    for (let look = 0; look < 10; look++) {
      if (await isAnswered()) return
      await delay(100)
    }
  }
  throw new Error(`The dialog takes no press of ${label}`)
}

/** Waits until the dialog takes a press of a button. */
export async function enabled(page: Page, label: string, frame?: Frame): Promise<Question> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const found = await question(page, frame)
    if (!found.disabled.includes(label)) return found
    await page.waitForTimeout(100)
  }
  throw new Error(`${label} is still disabled`)
}

/** Presses a button of the dialog with the mouse, now. */
export async function press(page: Page, label: string, frame?: Frame): Promise<void> {
  const { node } = await question(page, frame)
  const button = all(node).find((one) => one.nodeName === 'BUTTON' && textOf(one) === label)
  if (!button) throw new Error(`There is no button ${label}`)
  const { model } = await inspecting(page, frame, (session) =>
    session.send('DOM.getBoxModel', { backendNodeId: button.backendNodeId }),
  )
  const [x = 0, y = 0] = model.border
  const place = { x: 0, y: 0, ...(frame && (await (await frame.frameElement()).boundingBox())) }
  const middle = [place.x + x + model.width / 2, place.y + y + model.height / 2] as const
  await page.mouse.click(...middle).catch((error: unknown) => {
    // An answer closes a window of its own at once, before the press has ended.
    if (!page.isClosed()) throw error
  })
}

/** Measures the first element of the dialog with a name, such as `SLOT`. */
export async function heightOf(page: Page, name: string): Promise<number> {
  const { node } = await question(page)
  return (await boxOf(page, node, name)).height
}

/** A picture of the dialog, or of the notice: what is inside its border. */
export async function pictureOf(page: Page, name: 'DIALOG' | 'ASIDE' = 'DIALOG'): Promise<Buffer> {
  const { x, y, width, height } = await inspecting(page, undefined, async (session) => {
    const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true })
    return boxOf(page, root, name)
  })
  const edge = 15 // beyond the rounded corners
  const clip = { x: x + edge, y: y + edge, width: width - 2 * edge, height: height - 2 * edge }
  return page.screenshot({ clip })
}

/** A picture of what is inside the border of the first element of the dialog that has a text. */
export async function pictureOfText(page: Page, name: string, text: string): Promise<Buffer> {
  const { node } = await question(page)
  const { x, y, width, height } = await boxOf(page, node, name, text)
  const edge = 3 // beyond the border
  const clip = { x: x + edge, y: y + edge, width: width - 2 * edge, height: height - 2 * edge }
  return page.screenshot({ clip })
}

async function boxOf(page: Page, node: DomNode, name: string, text = '') {
  const found = all(node).find((one) => one.nodeName === name && textOf(one).includes(text))
  if (!found) throw new Error(`There is no ${name} ${text}`)
  const { model } = await inspecting(page, undefined, (session) =>
    session.send('DOM.getBoxModel', { backendNodeId: found.backendNodeId }),
  )
  const [x = 0, y = 0] = model.border
  return { x, y, width: model.width, height: model.height }
}

/** Reads the computed style of a button of the dialog, by the names of the developer tools. */
export async function styleOf(page: Page, label: string): Promise<ReadonlyMap<string, string>> {
  const { node } = await question(page)
  const button = all(node).find((one) => one.nodeName === 'BUTTON' && textOf(one) === label)
  if (!button) throw new Error(`There is no button ${label}`)
  return inspecting(page, undefined, async (session) => {
    await session.send('DOM.enable')
    await session.send('CSS.enable')
    await session.send('DOM.getDocument', { depth: -1, pierce: true })
    const { backendNodeId } = button
    const { nodeIds } = await session.send('DOM.pushNodesByBackendIdsToFrontend', {
      backendNodeIds: [backendNodeId],
    })
    const [nodeId = 0] = nodeIds
    const { computedStyle } = await session.send('CSS.getComputedStyleForNode', { nodeId })
    return new Map(computedStyle.map(({ name, value }) => [name, value]))
  })
}

/** A frame of another origin has a session of its own. */
async function inspecting<T>(
  page: Page,
  frame: Frame | undefined,
  work: (session: CDPSession) => Promise<T>,
): Promise<T> {
  const session = await page.context().newCDPSession(frame ?? page)
  try {
    return await work(session)
  } finally {
    await session.detach()
  }
}

function all(node: DomNode): DomNode[] {
  const { children = [], shadowRoots = [], contentDocument } = node
  const below = [...shadowRoots, ...children, ...(contentDocument ? [contentDocument] : [])]
  return [node, ...below.flatMap(all)]
}

function isDisabled({ attributes = [] }: DomNode): boolean {
  return attributes[attributes.indexOf('aria-disabled') + 1] === 'true'
}

function textOf(node: DomNode): string {
  return all(node)
    .filter(({ nodeName }) => nodeName === '#text')
    .map(({ nodeValue }) => nodeValue)
    .join('')
}
