/** Checks of requests to the server: tools, by their visibility, and resources. @module */

import { answered, fail, fields, holds, info, pass, shown, timeout, type Check } from './outcome.ts'

export const CALLS: readonly Check[] = [
  {
    id: 'tools/proxy-call',
    clause: 'MAY',
    title: 'tools/call reaches the server, if the host says serverTools',
    async run({ wire, capabilities }) {
      if (!('serverTools' in capabilities)) return info('the host does not offer it')
      const call = { name: 'conformance_probe', arguments: { marker: 'ü €' } }
      return answered(await wire.request('tools/call', call), (result) => {
        const given = fields(fields(result['structuredContent'])['arguments'])
        return holds(given['marker'] === 'ü €', shown(result))
      })
    },
  },
  {
    id: 'visibility/app-tool-call-guard',
    clause: 'MUST',
    title: 'A tool for the model alone is refused to this page',
    async run({ wire }) {
      const answer = await wire.request('tools/call', { name: 'model_only_probe', arguments: {} })
      if (answer.type === 'late') return timeout('no answer')
      const refused = answer.type === 'error' || answer.result['isError'] === true
      return holds(refused, shown(answer))
    },
  },
  {
    id: 'edge/B4-error-is-a-result',
    clause: 'MUST',
    title: 'A tool that fails answers a result with isError',
    async run({ wire }) {
      const call = { name: 'conformance_failing', arguments: {} }
      return answered(await wire.request('tools/call', call), (result) =>
        holds(result['isError'] === true, shown(result)),
      )
    },
  },
  {
    id: 'edge/call-is-no-result',
    clause: 'MUST',
    title: 'A call of this page is answered once and announced by no tool-input or tool-result',
    async run({ wire }) {
      const count = () =>
        wire.of('ui/notifications/tool-input').length +
        wire.of('ui/notifications/tool-result').length
      const before = count()
      await wire.request('tools/call', { name: 'conformance_probe', arguments: {} })
      return holds(count() === before, `${count() - before} notifications`)
    },
  },
  {
    id: 'capabilities/server-passthrough',
    clause: 'SHOULD',
    title: 'resources/read reaches the server, if the host says serverResources',
    async run({ wire, capabilities }) {
      if (!('serverResources' in capabilities)) return info('the host does not offer it')
      const answer = await wire.request('resources/read', { uri: 'ui://conformance/note' })
      return answered(answer, ({ contents }) => {
        const [first] = Array.isArray(contents) ? contents : []
        return holds(fields(first)['text'] === 'A note', shown(contents))
      })
    },
  },
  {
    id: 'edge/unknown-resource',
    clause: 'MUST',
    title: 'A resource that does not exist is an error with a code and a message',
    async run({ wire }) {
      const answer = await wire.request('resources/read', { uri: 'ui://conformance/none' })
      if (answer.type !== 'error') return fail(shown(answer))
      return holds(
        Number.isInteger(answer.code) && typeof answer.message === 'string',
        shown(answer),
      )
    },
  },
  {
    id: 'edge/malformed-params',
    clause: 'SHOULD',
    title: 'Requests without what they need are refused and not swallowed',
    async run({ wire }) {
      const methods = ['tools/call', 'resources/read', 'ui/open-link', 'ui/message']
      const answers = await Promise.all(methods.map((method) => wire.request(method, { url: 5 })))
      const wrong = methods.filter((_, index) => {
        const answer = answers[index]
        return answer?.type !== 'error' && !(answer?.type === 'result' && answer.result['isError'])
      })
      return wrong.length === 0 ? pass() : fail(wrong.join(', '))
    },
  },
]
