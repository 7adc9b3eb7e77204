/**
 * Frames: which documents see and call which tools, and what happens when a frame is removed.
 *
 * `localhost` and `127.0.0.1` are two origins. Each case makes its own frames of the page that it
 * runs in, so they have what this page has: the polyfill, native WebMCP, or both.
 *
 * @module
 */

import { type Command, makeTool, noteEvents, instruct } from './agent.ts'
import { type Cases, contextOf, event, failure, type Page, settled, windowOf } from './case.ts'

const here = location.origin
const there = `http://127.0.0.1:${location.port}`

interface Frame {
  readonly element: HTMLIFrameElement
  readonly window: Window
  readonly instruct: (command: Command) => Promise<unknown>
}

/** A frame of this page, on this origin or the other. */
async function frame(origin: string, attributes: Record<string, string> = {}): Promise<Frame> {
  const element = document.createElement('iframe')
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.src = origin + location.pathname
  const loaded = event(element, 'load')
  document.body.append(element)
  await loaded
  const { contentWindow } = element
  if (!contentWindow) throw new Error('A frame in the page has a window')
  return { element, window: contentWindow, instruct: (command) => instruct(contentWindow, command) }
}

/** Runs a case with a frame that is gone afterwards. */
const framed =
  (
    origin: string,
    attributes: Record<string, string>,
    run: (page: Page, frame: Frame) => unknown,
  ) =>
  async (page: Page) => {
    const made = await frame(origin, attributes)
    const answer = await run(page, made)
    made.element.remove()
    return answer
  }

const same = (run: (page: Page, frame: Frame) => unknown) => framed(here, {}, run)
const cross = (run: (page: Page, frame: Frame) => unknown) => framed(there, TOOLS, run)
const TOOLS = { allow: 'tools *' }

const names = async (page: Page, fromOrigins: string[] = []) =>
  (await page.context.getTools({ fromOrigins })).map(({ name, origin }) => `${name} ${origin}`)

const find = async ({ context }: Page, name: string, fromOrigins: string[] = []) => {
  const tool = (await context.getTools({ fromOrigins })).find((found) => found.name === name)
  if (!tool) throw new Error(`There is no tool ${name}`)
  return tool
}

export const frames: Cases = {
  'same origin: a frame shows its tools, with its window': {
    run: same(async (page, { instruct, window }) => {
      await instruct({ do: 'register', name: 'theirs' })
      const tool = await find(page, 'theirs')
      return [tool.description, windowOf(tool) === window, tool.origin]
    }),
    want: ['The tool theirs', true, 'ORIGIN'],
  },
  'same origin: what the context of a frame lists can be called from here': {
    run: same(async (page, { window }) => {
      await page.register({ execute: () => 'mine' })
      const [tool] = await contextOf(window.document).getTools()
      return tool ? page.context.executeTool(tool) : 'none'
    }),
    want: 'mine',
  },
  'same origin: calls run in the frame, and its context fires the events': {
    run: same(async (page, { instruct }) => {
      const mine: string[] = []
      page.context.ontoolactivated = () => mine.push('toolactivated')
      await instruct({ do: 'register', name: 'theirs' })
      await settled()
      await instruct({ do: 'log' })
      const answer = await page.context.executeTool(await find(page, 'theirs'), { a: 1 })
      page.context.ontoolactivated = null
      return [answer, await instruct({ do: 'log' }), mine]
    }),
    want: ['{"name":"theirs","input":{"a":1}}', ['called theirs', 'toolactivated'], []],
  },
  'same origin: a frame sees tools above and beside it, sorted by name': {
    run: same(async (page, { instruct }) => {
      const beside = await frame(here)
      await beside.instruct({ do: 'register', name: 'beside' })
      await instruct({ do: 'register', name: 'own' })
      await page.register({ name: 'above' })
      const answer = [await instruct({ do: 'list' }), await instruct({ do: 'call', name: 'above' })]
      beside.element.remove()
      return answer
    }),
    want: [['above ORIGIN', 'beside ORIGIN', 'own ORIGIN'], 'done'],
  },
  'same origin: every document of the tree receives a change, once': {
    run: same(async (page, { instruct }) => {
      let mine = 0
      page.context.ontoolchange = () => mine++
      await page.register()
      await instruct({ do: 'register', name: 'theirs' })
      await settled()
      const theirs = await instruct({ do: 'log' })
      page.context.ontoolchange = null
      return [mine, theirs]
    }),
    want: [2, ['toolchange', 'toolchange']],
  },
  'same origin: one name in two documents is two tools': {
    run: same(async (page, { instruct }) => {
      await page.register({ name: 'both' })
      await instruct({ do: 'register', name: 'both' })
      const tools = (await page.context.getTools()).filter(({ name }) => name === 'both')
      const answers = tools.map((tool) => page.context.executeTool(tool))
      return Promise.all(answers)
    }),
    want: ['done', '{"name":"both","input":{}}'],
  },
  'same origin: an abort goes down into the frame': {
    run: same((page, given) => abortInside(page, given, [])),
    want: ['mine', ['called hang', 'toolactivated', 'aborted hang', 'toolcancel']],
  },
  'same origin: a call fails when its frame goes': {
    run: same((page, given) => removeDuring(page, given, [])),
    want: 'UnknownError',
  },
  'same origin: a call within a call fails when its frame goes, and so does the outer one': {
    run: same(async (page, { element, instruct }) => {
      await instruct({ do: 'register', name: 'hang' })
      const inner = await find(page, 'hang')
      await page.register({ name: 'outer', execute: () => page.context.executeTool(inner) })
      const call = page.context.executeTool(await find(page, 'outer'))
      await settled()
      element.remove()
      return failure(() => call)
    }),
    want: 'UnknownError',
  },
  'same origin: a call fails when its frame navigates': {
    run: same(async (page, { element, instruct }) => {
      await instruct({ do: 'register', name: 'hang' })
      const call = page.context.executeTool(await find(page, 'hang'))
      await settled()
      element.src = 'about:blank'
      return failure(() => call)
    }),
    want: 'UnknownError',
  },
  'same origin: a call is cancelled when its caller goes': {
    run: same((page, given) => removeCaller(page, given)),
    want: ['called hang', 'toolactivated', 'aborted hang', 'toolcancel'],
  },
  'a removed frame: its tools are gone, calls fail': {
    run: same(async (page, { element, instruct }) => {
      await instruct({ do: 'register', name: 'theirs' })
      const tool = await find(page, 'theirs')
      element.remove()
      return [await names(page), await failure(() => page.context.executeTool(tool))]
    }),
    want: [[], 'InvalidStateError'],
  },
  'a removed frame: a tool that removes it while it is called fires no toolactivated': {
    run: same(async (page, { element }) => {
      const log: string[] = []
      const inside = element.contentDocument
      if (!inside) throw new Error('A frame of this origin has a document')
      noteEvents(inside, log)
      const execute = () => element.remove()
      await contextOf(inside).registerTool({ name: 'leaving', description: 'd', execute })
      await settled()
      log.length = 0
      const answer = await failure(async () =>
        page.context.executeTool(await find(page, 'leaving')),
      )
      await settled()
      return [answer, log]
    }),
    want: ['UnknownError', []],
  },
  'a removed frame: its own context is not active': {
    run: same(async (_, { element }) => {
      const context = contextOf(element.contentDocument ?? document)
      element.remove()
      return Promise.all([
        failure(() => context.registerTool(makeTool('late', []))),
        failure(() => context.getTools()),
      ])
    }),
    want: ['InvalidStateError', 'InvalidStateError'],
  },
  'other origin: exposed and requested, a tool is listed': {
    run: cross(async (page, { instruct, window }) => {
      await instruct({ do: 'register', name: 'theirs', exposedTo: [`${here}/path`] })
      const tool = await find(page, 'theirs', [there])
      const { annotations, description, inputSchema, origin, title } = tool
      const { readOnlyHint } = annotations ?? {}
      return [
        description,
        inputSchema,
        title,
        readOnlyHint,
        origin === there,
        windowOf(tool) === window,
      ]
    }),
    want: ['The tool theirs', { type: 'object' }, '', true, true, true],
  },
  'other origin: calls run in the frame, and its context fires the events': {
    run: cross(async (page, { instruct }) => {
      await instruct({ do: 'register', name: 'theirs', exposedTo: [here] })
      await settled()
      await instruct({ do: 'log' })
      const tool = await find(page, 'theirs', [there])
      const answer = await page.context.executeTool(tool, { a: [1] })
      return [answer, await instruct({ do: 'log' })]
    }),
    want: ['{"name":"theirs","input":{"a":[1]}}', ['called theirs', 'toolactivated']],
  },
  'other origin: not requested, not listed': {
    run: cross(async (page, { instruct }) => {
      await instruct({ do: 'register', name: 'theirs', exposedTo: [here] })
      return [await names(page), await names(page, ['https://a.example'])]
    }),
    want: [[], []],
  },
  'other origin: not exposed, not listed and not called': {
    run: cross(async (page, { instruct, window }) => {
      await instruct({ do: 'register', name: 'theirs', exposedTo: ['https://a.example'] })
      const forged = { name: 'theirs', title: '', description: '', origin: there, window }
      const call = failure(() => page.context.executeTool(forged))
      return [await names(page, [there]), await call, await instruct({ do: 'log' })]
    }),
    want: [[], 'UnknownError', ['toolchange']],
  },
  'other origin: a call for another origin than that of the frame fails': {
    run: cross(async (page, { instruct, window }) => {
      await instruct({ do: 'register', name: 'theirs', exposedTo: [here] })
      const tool = await find(page, 'theirs', [there])
      const { name, description } = tool
      const elsewhere = { name, title: '', description, origin: 'https://a.example', window }
      return [await failure(() => page.context.executeTool(elsewhere)), await nothingRan(instruct)]
    }),
    want: ['UnknownError', true],
  },
  'other origin: the frame sees what is exposed to it': {
    run: cross(async (page, { instruct }) => {
      await page.register({ name: 'shown' }, { exposedTo: [there] })
      await page.register({ name: 'hidden' })
      return [
        await instruct({ do: 'list', fromOrigins: [here] }),
        await instruct({ do: 'list' }),
        await instruct({ do: 'call', name: 'shown', fromOrigins: [here] }),
      ]
    }),
    want: [['shown ORIGIN'], [], 'done'],
  },
  'other origin: the frame receives only changes that are exposed to it': {
    run: cross(async (page, { instruct }) => {
      await page.register({ name: 'hidden' })
      await page.register({ name: 'elsewhere' }, { exposedTo: ['https://a.example'] })
      await settled()
      const before = await instruct({ do: 'log' })
      const over = new AbortController()
      await page.register({ name: 'shown' }, { exposedTo: [there], signal: over.signal })
      over.abort()
      await settled(150)
      return [before, await instruct({ do: 'log' })]
    }),
    want: [[], ['toolchange', 'toolchange']],
  },
  'other origin: the page receives only changes that are exposed to it': {
    run: cross(async (page, { instruct }) => {
      let mine = 0
      page.context.ontoolchange = () => mine++
      await instruct({ do: 'register', name: 'hidden' })
      await settled(150)
      const before = mine
      await instruct({ do: 'register', name: 'shown', exposedTo: [here] })
      await settled(150)
      page.context.ontoolchange = null
      return [before, mine]
    }),
    want: [0, 1],
  },
  'other origin: an abort goes down into the frame': {
    run: cross((page, given) => abortInside(page, given, [there])),
    want: ['mine', ['called hang', 'toolactivated', 'aborted hang', 'toolcancel']],
  },
  'other origin: a call fails when its frame goes': {
    run: cross((page, given) => removeDuring(page, given, [there])),
    want: 'UnknownError',
  },
  'other origin: a call is cancelled when its caller goes': {
    run: cross((page, given) => removeCaller(page, given)),
    want: ['called hang', 'toolactivated', 'aborted hang', 'toolcancel'],
  },
  'other origin, not allowed: everything is refused, no event is received': {
    run: framed(there, {}, async (page, { instruct }) => {
      await page.register({}, { exposedTo: [there] })
      await settled(150)
      return [
        await instruct({ do: 'register', name: 'theirs', exposedTo: [here] }),
        await instruct({ do: 'list', fromOrigins: [here] }),
        await names(page, [there]),
        await instruct({ do: 'log' }),
      ]
    }),
    want: ['NotAllowedError', 'NotAllowedError', ['tool ORIGIN'], []],
  },
  'other origin, allowed by name': {
    run: framed(there, { allow: `camera; tools ${there}` }, (_, { instruct }) =>
      instruct({ do: 'register', name: 'theirs' }),
    ),
    want: 'nothing',
  },
  'other origin, allowed by its address': {
    run: framed(there, { allow: 'tools' }, (_, { instruct }) =>
      instruct({ do: 'register', name: 'theirs' }),
    ),
    want: 'nothing',
  },
  'other origin, another one allowed': {
    run: framed(there, { allow: 'tools https://a.example' }, (_, { instruct }) =>
      instruct({ do: 'register', name: 'theirs' }),
    ),
    want: 'NotAllowedError',
  },
  'same origin, not allowed': {
    run: framed(here, { allow: "tools 'none'" }, async (page, { instruct }) => [
      await instruct({ do: 'register', name: 'theirs' }),
      await names(page),
    ]),
    want: ['NotAllowedError', []],
  },
  sandboxed: {
    run: framed(here, { sandbox: 'allow-scripts' }, (_, { instruct }) =>
      instruct({ do: 'register', name: 'theirs' }),
    ),
    want: 'NotAllowedError',
  },
}

async function abortInside(page: Page, { instruct }: Frame, fromOrigins: string[]) {
  await instruct({ do: 'register', name: 'hang', exposedTo: [here] })
  await settled()
  await instruct({ do: 'log' })
  const over = new AbortController()
  const tool = await find(page, 'hang', fromOrigins)
  const call = page.context.executeTool(tool, {}, { signal: over.signal })
  await settled()
  over.abort('mine')
  const reason = await failure(() => call)
  await settled()
  return [reason, await instruct({ do: 'log' })]
}

async function removeDuring(page: Page, { element, instruct }: Frame, fromOrigins: string[]) {
  await instruct({ do: 'register', name: 'hang', exposedTo: [here] })
  const call = page.context.executeTool(await find(page, 'hang', fromOrigins))
  await settled()
  element.remove()
  return failure(() => call)
}

async function removeCaller(page: Page, { element, instruct }: Frame) {
  const note: string[] = []
  await page.register(makeTool('hang', note), { exposedTo: [there] })
  await settled()
  noteEvents(document, note)
  void instruct({ do: 'call', name: 'hang', fromOrigins: [here] })
  await settled(150)
  element.remove()
  await settled(150)
  return note
}

const nothingRan = async (instruct: Frame['instruct']) =>
  !JSON.stringify(await instruct({ do: 'log' })).includes('called')
