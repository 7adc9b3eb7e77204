/** Shows content blocks of a result: text, images, links and embedded resources. @module */

import { cutEnd } from '#core/cut-middle.ts'
import { isRecord } from '#core/json.ts'
import type { ContentBlock } from '../../mcp/types.ts'
import { textIn } from '../ui/storage.ts'
import { Badge } from '../ui/parts.tsx'
import { Json } from '../ui/json.tsx'
import { MoreCharacters, Visible } from '../ui/visible.tsx'

/** Shows content blocks; one of an unknown type is shown as JSON. */
export function Blocks({ blocks }: { readonly blocks: readonly ContentBlock[] }) {
  return (
    <div class="stack tight">
      {blocks.map((block, index) => (
        <Block key={index} block={block} />
      ))}
    </div>
  )
}

/** Most characters of one text that are shown. */
const MAX_LENGTH = 200_000

const IMAGE = /^image\/(png|jpeg|gif|webp|avif)$/
const SOUND = /^audio\/[\w.+-]+$/

function Block({ block }: { readonly block: ContentBlock }) {
  const { type } = block
  const [data, mime] = [textIn(block, 'data'), textIn(block, 'mimeType') ?? '']
  if (type === 'text') return <Text text={textIn(block, 'text') ?? ''} />
  if (type === 'image' && data !== null && IMAGE.test(mime))
    return <img class="block" alt="Image from the tool" src={`data:${mime};base64,${data}`} />
  if (type === 'audio' && data !== null && SOUND.test(mime))
    return <p class="faint">Audio ({mime}), see Raw JSON.</p>
  if (type === 'resource_link') return <Link block={block} />
  const inner = type === 'resource' ? block['resource'] : null
  const text = textIn(inner, 'text')
  if (isRecord(inner) && text !== null)
    return (
      <figure>
        <figcaption class="small faint">
          <Visible text={textIn(inner, 'uri') ?? ''} />
        </figcaption>
        <Text text={text} />
      </figure>
    )
  return <Json value={block} label={`Block of type ${type}`} />
}

function Text({ text }: { readonly text: string }) {
  const shown = cutEnd(text, MAX_LENGTH)
  return (
    <pre class="plainbox" tabIndex={0} role="region" aria-label="Text">
      {shown}
      <MoreCharacters count={text.length - shown.length} />
    </pre>
  )
}

function Link({ block }: { readonly block: ContentBlock }) {
  const audience = isRecord(block['annotations']) ? block['annotations']['audience'] : null
  return (
    <p class="row small">
      <Badge>link</Badge> <Visible text={textIn(block, 'title') ?? textIn(block, 'name') ?? ''} />{' '}
      <code>
        <Visible text={textIn(block, 'uri') ?? ''} />
      </code>
      {Array.isArray(audience) && !audience.includes('assistant') && <Badge>for you only</Badge>}
    </p>
  )
}
