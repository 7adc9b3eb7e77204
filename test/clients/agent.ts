/** A client that brings an agent: each step is one run of it against the scripted model. @module */

import { startModel, type Model } from './model.ts'
import type { Session } from './session.ts'

export interface Agent {
  /** Runs the agent with a prompt, until the model ends its turn. */
  readonly run: (prompt: string) => Promise<unknown>
  readonly close: () => Promise<void>
  readonly resources?: () => Promise<readonly string[]>
  readonly readResource?: (uri: string) => Promise<string>
}

const PROMPT = 'Do the next step.'

export async function byModel(open: (model: Model) => Promise<Agent>): Promise<Session> {
  const model = await startModel()
  const { run, close, ...rest } = await open(model)
  return {
    tools: async () => {
      await model.ask({ name: 'list_roots', args: {} }, () => run(PROMPT))
      return model.tools
    },
    call: (call) => model.ask(call, () => run(PROMPT)),
    ...rest,
    close: () => close().finally(() => model.close()),
  }
}
