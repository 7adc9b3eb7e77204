/**
 * What a hostile frame of another origin can do: it can make the page wait half a second, and no
 * more than that.
 *
 * @module
 */

import type { ModelContext } from '../../../../polyfill/types.ts'
import { makeTool } from './agent.ts'
import { type Cases, event, failure, type Page, settled } from './case.ts'

const there = `http://127.0.0.1:${location.port}`

/** Runs a case beside a frame that does this. */
const beside =
  (doing: string, run: (page: Page, frame: Window) => unknown) => async (page: Page) => {
    const element = document.createElement('iframe')
    element.src = `${there}/guest#${doing}`
    const loaded = event(element, 'load')
    document.body.append(element)
    await loaded
    const { contentWindow } = element
    if (!contentWindow) throw new Error('A frame in the page has a window')
    const answer = await run(page, contentWindow)
    element.remove()
    return answer
  }

const fromThere = { fromOrigins: [there] }

/** The report of the frame. */
const report = (): Promise<unknown> =>
  new Promise((resolve) => {
    window.addEventListener('message', function hear({ data }: MessageEvent<unknown>) {
      if (typeof data !== 'object' || data === null || !('report' in data)) return
      window.removeEventListener('message', hear)
      resolve(data.report)
    })
    setTimeout(resolve, 4000, 'nothing')
  })

const reporting = (doing: string) => async (page: Page) => {
  const note: string[] = []
  const registered = [
    page.register(makeTool('hang', note), { exposedTo: [there] }),
    page.register(makeTool('shown', note), { exposedTo: [there] }),
    page.register(makeTool('hidden', note)),
  ]
  await Promise.all(registered)
  const reported = report()
  const received = await beside(doing, () => reported)(page)
  return [received, note.length]
}

/** Lists the tools of the other origin in less than some milliseconds: up to three times, for a machine that stops. */
async function timedTools(context: ModelContext, ms: number) {
  const times: number[] = []
  let count = 0
  while (times.length < 3 && !times.some((time) => time < ms)) {
    const start = performance.now()
    count = (await context.getTools(fromThere)).length
    times.push(performance.now() - start)
  }
  return { count, times }
}

export const hostile: Cases = {
  'never answers: has no tools, after half a second': {
    run: beside('silent', async ({ context }) => {
      const { count, times } = await timedTools(context, 1000)
      return [count, times.every((time) => time > 450) && Math.min(...times) < 1000]
    }),
    want: [0, true],
  },
  'never answers a call: it fails': {
    run: beside('silent', async ({ context }, window) => {
      const tool = { name: 'a', title: '', description: '', origin: there, window }
      return failure(() => context.executeTool(tool))
    }),
    want: 'UnknownError',
  },
  'sends nothing on its channel: the wait is limited': {
    run: beside('dumb', async ({ context }) => {
      const { count, times } = await timedTools(context, 1500)
      return [count, Math.min(...times) < 1500]
    }),
    want: [0, true],
  },
  'does not respond to a call: the caller can abort': {
    run: beside('dumb', async ({ context }, window) => {
      const tool = { name: 'a', title: '', description: '', origin: there, window }
      const signal = AbortSignal.timeout(100)
      return failure(() => context.executeTool(tool, {}, { signal }))
    }),
    want: 'TimeoutError',
  },
  'does not respond to a call, and is removed: the call fails': {
    async run({ context }) {
      const frame = document.createElement('iframe')
      frame.src = `${there}/guest#dumb`
      const loaded = event(frame, 'load')
      document.body.append(frame)
      await loaded
      const { contentWindow: window } = frame
      if (!window) return 'no window'
      const tool = { name: 'a', title: '', description: '', origin: there, window }
      const call = failure(() => context.executeTool(tool))
      await settled(100)
      frame.remove()
      return call
    },
    want: 'UnknownError',
  },
  'claims another origin: is listed under its own': {
    run: beside('forged', async ({ context }) =>
      (await context.getTools(fromThere)).map(({ name, origin }) => [name, origin === there]),
    ),
    want: [['evil', true]],
  },
  'claims another origin: is ignored if it is not requested': {
    run: beside('forged', ({ context }) =>
      context.getTools({ fromOrigins: ['https://bank.example'] }),
    ),
    want: [],
  },
  'sends too much: has no tools': {
    run: beside('huge', ({ context }) => context.getTools(fromThere)),
    want: [],
  },
  'has too many tools: a thousand are taken': {
    run: beside('many', async ({ context }) => (await context.getTools(fromThere)).length),
    want: 1000,
  },
  'sends garbage: has no tools': {
    run: beside('garbage', ({ context }) => context.getTools(fromThere)),
    want: [],
  },
  'sends malformed messages: the page receives its own, and nothing breaks': {
    run: async (page) => {
      const heard: string[] = []
      const hear = ({ data }: MessageEvent<unknown>) => heard.push(JSON.stringify(data))
      window.addEventListener('message', hear)
      await beside('strange', () => settled(200))(page)
      window.removeEventListener('message', hear)
      return heard
    },
    want: ['null', '5', '{}', '[]', '"x"', '{}'],
  },
  'asks for the tools: sees those that are exposed to it': {
    run: async (page) => {
      const [report] = (await reporting('list')(page)) as [string]
      const { tools } = JSON.parse(report) as { tools: [string, string][] }
      return tools.map(([, text]) => Reflect.get(JSON.parse(text) as object, 'name'))
    },
    want: ['hang', 'shown'],
  },
  'calls a hidden tool in the name of another origin: fails, and nothing runs': {
    run: reporting('claim'),
    want: ['{"failed":"No such tool"}', 0],
  },
  'calls with broken input: fails, and nothing runs': {
    run: reporting('broken'),
    want: ['{"failed":"Failed to parse input arguments"}', 0],
  },
  'opens lines without end: gets as many as it may, which end with it': {
    async run(page) {
      const note: string[] = []
      await page.register(makeTool('hang', note), { exposedTo: [there] })
      await settled(800) // for lines of other cases to end
      await beside('flood', report)(page)
      await settled(800)
      const aborted = note.filter((line) => line.startsWith('aborted')).length
      return [note.filter((line) => line.startsWith('called')).length, aborted]
    },
    want: [64, 64],
  },
  'page listeners see nothing of what goes on between polyfills': {
    async run(page) {
      const heard: unknown[] = []
      const hear = ({ data }: MessageEvent<unknown>) => heard.push(data)
      for (const capture of [true, false]) window.addEventListener('message', hear, capture)
      const frame = document.createElement('iframe')
      frame.allow = 'tools *'
      frame.src = there + location.pathname
      const loaded = event(frame, 'load')
      document.body.append(frame)
      await loaded
      await page.register({}, { exposedTo: [there] })
      const found = await page.context.getTools(fromThere)
      await settled(100)
      for (const capture of [true, false]) window.removeEventListener('message', hear, capture)
      frame.remove()
      return [heard, found.length]
    },
    want: [[], 1],
  },
}
