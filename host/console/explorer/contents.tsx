/** What a resource contains, and what a prompt says. @module */

import { recordOf, type JsonRecord } from '#core/json.ts'
import { listOf, textOf } from '../../mcp/parse.ts'
import type { ContentBlock, ResourceContents } from '../../mcp/types.ts'
import { openConnection, revision } from '../connect/connection.ts'
import { Blocks } from '../tools/blocks.tsx'
import { formatBytes } from '../ui/format.ts'
import { Json } from '../ui/json.tsx'
import { useLoad } from '../ui/load.ts'
import { Badge, Fault, Waiting } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'

/** Reads a resource and shows its contents as text; HTML is never run here. */
export function ResourceView({ uri }: { readonly uri: string }) {
  const { value, error, reload } = useLoad(
    (signal) => openConnection().readResource(uri, { signal }),
    [uri, revision.value],
  )
  return (
    <section
      class="card stack"
      aria-label="Resource"
      data-testid="resource"
      data-state={stateOf(value, error)}
    >
      <h2>
        <code>
          <Visible text={uri} />
        </code>
      </h2>
      {error ? <Fault what="Cannot read the resource" error={error} retry={reload} /> : null}
      {!value && !error && <Waiting />}
      {value?.length === 0 && <p class="faint">The resource has no contents.</p>}
      {value?.map((content, index) => (
        <Content key={index} content={content} />
      ))}
    </section>
  )
}

const stateOf = (value: unknown, error: unknown) => (error ? 'failed' : value ? 'done' : 'running')

function Content({
  content: { uri, mimeType, text, blob },
}: {
  readonly content: ResourceContents
}) {
  const type = mimeType ?? ''
  const isImage = blob !== null && type.startsWith('image/')
  const block: ContentBlock = isImage
    ? { type: 'image', mimeType: type, data: blob }
    : { type: 'text', text: text ?? '' }
  return (
    <figure>
      <figcaption class="row small">
        {type !== '' && <Badge>{type}</Badge>}
        {blob !== null && <Badge>{formatBytes(Math.floor((blob.length * 3) / 4))}</Badge>}
        <code>
          <Visible text={uri} />
        </code>
      </figcaption>
      {text !== null || isImage ? (
        <Blocks blocks={[block]} />
      ) : (
        <p class="faint">Binary content.</p>
      )}
    </figure>
  )
}

interface PromptProps {
  readonly name: string
  readonly args: Readonly<Record<string, string>>
}

/** Gets a prompt and shows its messages. */
export function PromptView({ name, args }: PromptProps) {
  const { value, error, reload } = useLoad(
    (signal) => openConnection().getPrompt(name, args, { signal }),
    [name, JSON.stringify(args), revision.value],
  )
  const messages = listOf(value?.['messages']).map(recordOf)
  return (
    <section
      class="card stack"
      aria-label="Messages"
      data-testid="prompt"
      data-state={stateOf(value, error)}
    >
      <h2>Messages</h2>
      {error ? <Fault what="Cannot get the prompt" error={error} retry={reload} /> : null}
      {!value && !error && <Waiting />}
      {messages.map((message, index) => (
        <Message key={index} message={message} />
      ))}
      {value && <Json value={value} label="Raw result" />}
    </section>
  )
}

function Message({ message: { role, content } }: { readonly message: JsonRecord }) {
  const block = recordOf(content)
  return (
    <figure>
      <figcaption>
        <Badge>{textOf(role) || 'no role'}</Badge>
      </figcaption>
      <Blocks blocks={[{ ...block, type: textOf(block['type']) || 'unknown' }]} />
    </figure>
  )
}
