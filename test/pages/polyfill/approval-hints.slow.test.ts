/**
 * Hints and intents of tools in a frame of another origin: who receives them, and what a page makes
 * of those that a hostile frame sends.
 *
 * @module
 */

import type { Frame, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useBrowser } from '../../support/pages/browser.ts'
import { NATIVE, NOT_NATIVE, ways } from '../../support/pages/chromium.ts'
import { answer, question } from '../../support/pages/approval-dialog.ts'
import { pageWith, useApprovalSite } from '../../support/pages/polyfill-approval-site.ts'

const OTHER = 'http://127.0.0.1:${location.port}'
const framing = (path: string) =>
  pageWith(
    `<script>document.write(\`<iframe allow="tools" width="600" height="500" src="${OTHER}${path}"></iframe>\`)</script>`,
  )

const TAG = 'edgewise.webmcp.hints.1'

/** A frame with the specification alone, whose own script answers the questions of other windows. */
const answering = (script: string) =>
  pageWith(`<script>addEventListener('message', ({ data, ports: [port] }) => {
    if (data === '${TAG}') { ${script} }
  })</script>`).replace('/webmcp.js', '/webmcp-core.js')

const site = useApprovalSite({
  '/outer': framing('/inner'),
  '/outer-silent': framing('/silent'),
  '/silent': answering(''),
  '/outer-hostile': framing('/hostile'),
  '/hostile': answering('port.postMessage(reply)'),
})

const WAYS = [
  { way: 'native', args: NATIVE },
  { way: 'polyfill', args: NOT_NATIVE },
]

const run = (page: Page | Frame, script: string): Promise<unknown> =>
  page.evaluate(`(async () => { ${script} })()`)

const listed = (origin: string) => `
  const tools = await document.modelContext.getTools({ fromOrigins: ['${origin}'] })
  return tools.map(({ name, annotations }) => [name, annotations?.humanInTheLoopHint ?? null, annotations?.intentTemplate ?? null])`

describe.each(ways(WAYS))('$way', ({ args }) => {
  const browser = useBrowser([...args, '--site-per-process'])

  async function opened(path: string) {
    const page = await browser.open(`${site.origin}${path}`)
    const frame = page.frames().find((one) => one.url().startsWith(site.other))
    if (!frame) throw new Error('There is no frame')
    return { page, frame }
  }

  it('reach the origins to which a tool is exposed', async () => {
    const { page, frame } = await opened('/outer')
    await run(
      frame,
      `const annotations = { humanInTheLoopHint: 'review', intentTemplate: 'Pay {amount}' }
       await tool({ name: 'pay', annotations }, { exposedTo: ['${site.origin}/path'] })
       await tool({ name: 'plain' }, { exposedTo: ['${site.origin}'] })`,
    )
    await expect
      .poll(() => run(page, listed(site.other)))
      .toEqual([
        ['pay', 'review', 'Pay {amount}'],
        ['plain', null, null],
      ])
    const consumer = `const { list } = await import('/webmcp.mjs')
      const [tool] = await list({ fromOrigins: ['${site.other}'] })
      return [tool.annotations.humanInTheLoopHint, Object.keys(tool.annotations)]`
    expect(await run(page, consumer)).toEqual([
      'review',
      [
        'consequentialHint',
        'debugging',
        'humanInTheLoopHint',
        'intentTemplate',
        'readOnlyHint',
        'untrustedContentHint',
      ],
    ])
    await page.context().close()
  })

  it('inform only: the approval is requested in the frame', async () => {
    const { page, frame } = await opened('/outer')
    const annotations = `{ humanInTheLoopHint: 'confirm', intentTemplate: 'Pay {x}' }`
    await run(
      frame,
      `await tool({ name: 'a', annotations: ${annotations} }, { exposedTo: ['${site.origin}'] })`,
    )
    await run(
      page,
      `const [tool] = await document.modelContext.getTools({ fromOrigins: ['${site.other}'] })
       tool.annotations.humanInTheLoopHint = 'none'
       void document.modelContext.executeTool(tool, { x: 1 })
         .catch(() => document.modelContext.executeTool(tool, '{"x":1}')).catch(() => {})`,
    )
    expect((await question(page, frame)).text).toContain('Pay 1')
    expect(await frame.evaluate('ran')).toEqual([])
    await answer(page, 'Allow once', frame)
    await frame.waitForFunction('ran.length === 1')
    await page.context().close()
  })

  it('are kept from other origins and other trees', async () => {
    const { page, frame } = await opened('/outer')
    await run(
      frame,
      `const annotations = { intentTemplate: 'Secret {x}' }
       await tool({ name: 'mine', annotations })
       await tool({ name: 'theirs', annotations }, { exposedTo: ['https://example.com'] })
       await tool({ name: 'yours', annotations }, { exposedTo: ['${site.origin}'] })`,
    )
    const ask = (target: string) => `
      return new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = ({ data }) => resolve(data)
        ${target}.postMessage('${TAG}', '*', [port2])
        setTimeout(resolve, 700, null)
      })`
    await expect
      .poll(() => run(page, ask('frames[0]')))
      .toBe('{"yours":{"intentTemplate":"Secret {x}"}}')
    // A sandboxed frame, whose origin is opaque.
    const opaque = `
      const made = document.createElement('iframe')
      made.sandbox = 'allow-scripts'
      made.srcdoc = \`<script>
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = ({ data }) => top.postMessage({ data }, '*')
        top.frames[0].postMessage('${TAG}', '*', [port2])
        setTimeout(() => top.postMessage({ data: null }, '*'), 700)
      </script>\`
      return new Promise((resolve) => {
        addEventListener('message', ({ data }) => data && 'data' in data && resolve(data.data))
        document.body.append(made)
      })`
    expect(await run(page, opaque)).toBeNull()
    // A window of the right origin, in another tree.
    const [popup] = await Promise.all([
      page.context().waitForEvent('page'),
      run(page, `globalThis.popup = open('${site.other}/inner')`),
    ])
    await popup.waitForFunction('typeof tool === "function"')
    await popup.evaluate(
      `tool({ name: 'b', annotations: { intentTemplate: 'x' } }, { exposedTo: ['${site.origin}'] })`,
    )
    await popup.waitForTimeout(500)
    expect(await run(page, ask('popup'))).toBeNull()
    await page.context().close()
  })

  it('are absent when a frame does not answer, in bounded time', async () => {
    const { page, frame } = await opened('/outer-silent')
    await run(frame, `await tool({ name: 'a' }, { exposedTo: ['${site.origin}'] })`)
    const start = Date.now()
    expect(await run(page, listed(site.other))).toEqual([['a', null, null]])
    expect(Date.now() - start).toBeLessThan(5_000)
    await page.context().close()
  })

  it.each([
    ['an unknown level', `JSON.stringify({ a: { humanInTheLoopHint: 'NONE' } })`],
    ['another type', `JSON.stringify({ a: { humanInTheLoopHint: ['none'], intentTemplate: 7 } })`],
    ['a long intent', `JSON.stringify({ a: { intentTemplate: 'x'.repeat(2001) } })`],
    ['a deep intent', `JSON.stringify({ a: { intentTemplate: '['.repeat(20) } })`],
    ['no record', `'[[]]'`],
    ['no JSON', `'{'`],
    ['no text', `{ a: { humanInTheLoopHint: 'none' } }`],
    ['too much', `JSON.stringify({ a: { humanInTheLoopHint: 'none' }, b: 'x'.repeat(4e6) })`],
    ['a prototype', `'{"__proto__":{"a":{"humanInTheLoopHint":"none"}}}'`],
    ['other tools', `JSON.stringify({ mine: { humanInTheLoopHint: 'none' } })`],
  ])('are dropped when a hostile frame sends %s', async (_, reply) => {
    const { page, frame } = await opened('/outer-hostile')
    await run(frame, `globalThis.reply = ${reply}`)
    await run(frame, `await tool({ name: 'a' }, { exposedTo: ['${site.origin}'] })`)
    await run(page, `await tool({ name: 'mine' })`)
    expect(await run(page, listed(site.other))).toEqual([
      ['a', null, null],
      ['mine', null, null],
    ])
    await page.context().close()
  })

  it('of a frame are taken as far as they are valid', async () => {
    const { page, frame } = await opened('/outer-hostile')
    const reply = `{ a: { humanInTheLoopHint: 'none', intentTemplate: 'Do {x}', readOnlyHint: true, extra: 1 } }`
    await run(frame, `globalThis.reply = JSON.stringify(${reply})`)
    await run(frame, `await tool({ name: 'a' }, { exposedTo: ['${site.origin}'] })`)
    const script = `const [tool] = await document.modelContext.getTools({ fromOrigins: ['${site.other}'] })
      return tool.annotations`
    expect(await run(page, script)).toEqual({
      humanInTheLoopHint: 'none',
      intentTemplate: 'Do {x}',
    })
    await page.context().close()
  })
})
