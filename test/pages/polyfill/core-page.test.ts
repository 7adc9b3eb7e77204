/**
 * The polyfill in pages of all kinds: with a strict policy, insecure, early, forgotten for hours,
 * put away and brought back, and where there is no page at all.
 *
 * @module
 */

import { chromium } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useBrowser } from '../../support/pages/browser.ts'
import { EXECUTABLE, isYoung } from '../../support/pages/chromium.ts'
import { POLYFILL, useSite } from '../../support/pages/polyfill-core-site.ts'

const browser = useBrowser(['--host-resolver-rules=MAP plain.example 127.0.0.1'])
const CSP = `<meta http-equiv="content-security-policy" content="default-src 'none'; script-src 'self'; require-trusted-types-for 'script'">`
const site = useSite({
  '/page': `<!doctype html><title>Page</title>${POLYFILL}`,
  '/spec': `<!doctype html><title>Spec</title>${POLYFILL.replace('>', ' data-results="spec">')}`,
  '/strict': `<!doctype html>${CSP}<title>Strict</title>${POLYFILL}`,
  '/opaque': {
    html: `<!doctype html><title>Opaque</title>${POLYFILL}`,
    headers: { 'content-security-policy': 'sandbox allow-scripts' },
  },
  '/blank': '<!doctype html><title>Blank</title>',
})

const CALL = `(async () => {
  const context = document.modelContext
  await context.registerTool({ name: 'a', description: 'd', execute: () => 'done' })
  const [tool] = await context.getTools()
  return context.executeTool(tool)
})()`

describe('a page', () => {
  it('with a strict content security policy', async () => {
    const page = await browser.open(`${site.origin}/strict`)
    expect(await page.evaluate(CALL)).toBe('done')
    await page.context().close()
  })

  it('with results by the letter of the specification', async () => {
    const page = await browser.open(`${site.origin}/spec`)
    expect(await page.evaluate(CALL)).toBe('"done"')
    await page.context().close()
  })

  it('that is not secure has no model context, and no interfaces', async () => {
    const plain = site.origin.replace('localhost', 'plain.example')
    const page = await browser.open(`${plain}/page`)
    const names = ['ModelContext', 'ToolActivatedEvent', 'ToolCancelEvent']
    expect(await page.evaluate(`isSecureContext || 'modelContext' in document`)).toBe(false)
    expect(
      await page.evaluate(`${JSON.stringify(names)}.filter((name) => name in window)`),
    ).toEqual([])
    await page.context().close()
  })

  it('with the polyfill as its first script', async () => {
    const page = await browser.open(`${site.origin}/blank`)
    const script = await (await fetch(`${site.origin}/core.js`)).text()
    await page.addInitScript({ content: script })
    await page.goto(`${site.origin}/blank`)
    expect(await page.evaluate(CALL)).toBe('done')
    await page.context().close()
  })

  it('with an opaque origin registers tools, and refuses calls at once', async () => {
    const page = await browser.open(`${site.origin}/opaque`)
    const seen = await page.evaluate(`(async () => {
      const log = [self.origin]
      const context = document.modelContext
      await context.registerTool({ name: 'a', description: 'd', execute: () => 'done' })
      const [tool] = await context.getTools()
      log.push(tool.name)
      const refused = context.executeTool(tool).catch(({ name }) => log.push(name))
      queueMicrotask(() => log.push('microtask'))
      await refused
      return log
    })()`)
    expect(seen).toEqual(['null', 'a', 'NotSupportedError', 'microtask'])
    await page.context().close()
  })

  it('whose browser knows the policy, which forbids tools', async () => {
    const page = await browser.open(`${site.origin}/blank`)
    await page.addInitScript(`Object.defineProperty(document, 'featurePolicy', {
      value: { features: () => ['tools'], allowsFeature: () => false },
    })`)
    await page.goto(`${site.origin}/page`)
    const names = await page.evaluate(`Promise.all(
      ['registerTool', 'getTools', 'executeTool'].map((name) =>
        document.modelContext[name]({ name: 'a', description: 'd', execute() {}, window, origin })
          .catch(({ name }) => name)),
    )`)
    expect(names).toEqual(['NotAllowedError', 'NotAllowedError', 'NotAllowedError'])
    await page.context().close()
  })
})

describe('time and memory', () => {
  it('are not used up by ten thousand tools that came and went', async () => {
    const page = await browser.open(`${site.origin}/page`)
    const session = await page.context().newCDPSession(page)
    const cycles = (count: number) =>
      page.evaluate(`(async () => {
        for (let turn = 0; turn < ${count}; turn++) {
          const over = new AbortController()
          const tool = { name: 'a', description: 'd', inputSchema: { turn }, execute() {} }
          await document.modelContext.registerTool(tool, { signal: over.signal })
          over.abort()
        }
      })()`)
    const heap = async () => {
      await session.send('HeapProfiler.collectGarbage')
      return (await session.send('Runtime.getHeapUsage')).usedSize
    }
    await cycles(1000)
    const before = await heap()
    await cycles(10_000)
    expect((await heap()) - before).toBeLessThan(200_000)
    await page.context().close()
  })

  it('are not used up by ten thousand calls with one signal', async () => {
    const page = await browser.open(`${site.origin}/page`)
    const session = await page.context().newCDPSession(page)
    const heap = async () => {
      await session.send('HeapProfiler.collectGarbage')
      return (await session.send('Runtime.getHeapUsage')).usedSize
    }
    await page.evaluate(`(async () => {
      await document.modelContext.registerTool({ name: 'a', description: 'd', execute: () => 1 })
      const [tool] = await document.modelContext.getTools()
      const { signal } = new AbortController()
      globalThis.calls = async (count) => {
        while (count-- > 0) await document.modelContext.executeTool(tool, {}, { signal })
      }
    })()`)
    await page.evaluate('calls(1000)')
    const before = await heap()
    await page.evaluate('calls(10_000)')
    expect((await heap()) - before).toBeLessThan(200_000)
    await page.context().close()
  })

  it('are not used at all while nothing happens', async () => {
    const page = await browser.open(`${site.origin}/page`)
    await page.evaluate(CALL)
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    const script = async () => {
      const { metrics } = await session.send('Performance.getMetrics')
      return metrics.find(({ name }) => name === 'ScriptDuration')?.value
    }
    const used = async () => {
      const before = await script()
      await page.waitForTimeout(2000)
      return (await script()) !== before
    }
    // On a slow machine, what the page does first takes longer than a moment.
    await expect.poll(used).toBe(false)
    await page.context().close()
  })
})

// The bundled browser is a headless shell, which has no back/forward cache.
it.skipIf(!isYoung)('leaves the page eligible for the back/forward cache', async () => {
  const own = await chromium.launch({
    executablePath: EXECUTABLE,
    args: ['--no-sandbox'],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  const page = await own.newPage()
  await page.goto(`${site.origin}/page`)
  // Playwright does not follow into such a page, so the page itself reports the result.
  await page.evaluate(`(async () => {
    const gate = Promise.withResolvers()
    const execute = () => gate.promise
    await document.modelContext.registerTool({ name: 'slow', description: 'd', execute })
    const [tool] = await document.modelContext.getTools()
    const answer = document.modelContext.executeTool(tool)
    addEventListener('pageshow', async ({ persisted }) => {
      gate.resolve('late')
      const { length } = await document.modelContext.getTools()
      location.href = '/blank?' + [persisted, await answer, length]
    })
  })()`)
  await page.goto(`${site.origin}/blank`)
  await page.evaluate('history.back()')
  await page.waitForURL('**/blank?*')
  expect(new URL(page.url()).search).toBe('?true,late,1')
  await own.close()
})
