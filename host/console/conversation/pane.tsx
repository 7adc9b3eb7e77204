/**
 * The conversation pane: what the apps of this server have written for a model, in its order, and a
 * button that copies it as a model would receive it.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import type { ContentBlock } from '../../mcp/types.ts'
import { Blocks } from '../tools/blocks.tsx'
import { Copy } from '../ui/copy.tsx'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { Json } from '../ui/json.tsx'
import { When } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'
import {
  buildModelInput,
  clearConversation,
  conversationWith,
  type Message,
  type ModelContext,
} from './conversation.ts'

/** Shows the conversation with the apps of a server; nothing before the first message or context. */
export function ConversationPane({ server }: { readonly server: string }) {
  const found = conversationWith(server)
  const { messages, pending } = found
  if (messages.length + pending.length === 0) return null
  return (
    <section class="card conversation" aria-label="Conversation" data-testid="conversation">
      <header>
        <h2>Conversation</h2>
        <div class="row">
          <Copy text={JSON.stringify(buildModelInput(found), null, 2)} label="Copy for a model" />
          <button
            type="button"
            class="button quiet small"
            onClick={() => clearConversation(server)}
          >
            <Icon name="trash" /> Clear
          </button>
        </div>
      </header>
      <p class="faint small">
        What apps wrote for the model. The console has no model, so it sends this nowhere.
      </p>
      <p class="unseen" role="status">
        {formatCount(messages.length, 'message')}, context of {formatCount(pending.length, 'app')}
      </p>
      <ol class="turns" tabIndex={0} aria-label="Messages">
        {messages.map((message) => (
          <Turn key={message.id} message={message} />
        ))}
        {pending.map((context) => (
          <Context key={`next ${context.app}`} context={context} isNext />
        ))}
      </ol>
    </section>
  )
}

function Turn({ message: { at, app, content, context } }: { readonly message: Message }) {
  return (
    <>
      {context.map((one) => (
        <Context key={one.app} context={one} />
      ))}
      <li data-testid="message">
        <p class="small">
          <strong>Message</strong> in your name, by <Visible text={app} /> <When at={at} />
        </p>
        <Blocks blocks={content.flatMap(toBlock)} />
      </li>
    </>
  )
}

interface ContextProps {
  readonly context: ModelContext
  readonly isNext?: boolean
}

const Context = ({ context: { app, content, structuredContent }, isNext }: ContextProps) => (
  <li class="context" data-testid="model-context">
    <p class="small">
      <strong>Context</strong> of <Visible text={app} />
      {isNext && ', sent with the next message'}
    </p>
    <Blocks blocks={content.flatMap(toBlock)} />
    {structuredContent && <Json value={structuredContent} label={`Data of ${app}`} />}
  </li>
)

const toBlock = (block: JsonRecord): ContentBlock[] =>
  typeof block['type'] === 'string' ? [{ ...block, type: block['type'] }] : []
