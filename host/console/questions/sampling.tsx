/**
 * The dialog of a sampling request: the prompt that a server, or an app, has for a model, and a field for the
 * answer. The console has no model, so the person writes the answer or fetches it from one.
 *
 * @module
 */

import { quoteName } from '#core/quote.ts'
import { Sentence } from '../ui/path.tsx'
import { useId, useState } from 'preact/hooks'
import { formatBlock, formatPrompt, isImage, MAX_ANSWER_LENGTH } from '../../mcp/sampling.ts'
import type { ContentBlock, Sampling, SamplingMessage } from '../../mcp/types.ts'
import { Blocks } from '../tools/blocks.tsx'
import { Copy } from '../ui/copy.tsx'
import { TextField } from '../ui/fields.tsx'
import { truncate } from '../ui/format.ts'
import { Modal } from '../ui/modal.tsx'
import { Visible } from '../ui/visible.tsx'
import { NoButton, OtherQuestions, VisibleLines, YesButton, type QuestionProps } from './dialog.tsx'

/** The name of the model unless the person gives another one. */
const PERSON = 'human'
const MAX_MODEL_LENGTH = 200
/** Most characters of an app's name that are shown. */
const MAX_APP_LENGTH = 60

/** Shows the request, and sends or refuses an answer. */
export function SamplingDialog({ one }: QuestionProps<'sampling'>) {
  const { server, app, question, answer } = one
  const [text, setText] = useState('')
  const [model, setModel] = useState(PERSON)
  const send = () => answer({ text, model: model.trim() || PERSON })
  return (
    <Modal
      title={<>{server} asks for a model’s answer</>}
      intro="The console has no model. Write an answer, or copy the prompt into a model and paste its answer here."
      asksToDiscard={text.trim() === '' ? undefined : 'always'}
      onClose={() => answer(null)}
      foot={
        <>
          <OtherQuestions />
          <NoButton onNo={() => answer(null)}>Refuse</NoButton>
          <YesButton onYes={send} disabled={text.trim() === ''}>
            Send the answer
          </YesButton>
        </>
      }
    >
      {app !== null && <Requester app={app} />}
      <Prompt question={question} />
      <Wishes question={question} />
      <AnswerField value={text} onInput={setText} />
      <TextField
        label="Model"
        value={model}
        maxLength={MAX_MODEL_LENGTH}
        help="Sent as the name of the model that wrote the answer."
        onInput={setModel}
      />
      <p class="faint small">
        The server receives exactly this text. Leave out what it should not know.
      </p>
    </Modal>
  )
}

/** The name is apart from the host of the server, because an app can choose it. */
const Requester = ({ app }: { readonly app: string }) => (
  <dl class="facts">
    <dt>For its app</dt>
    <dd>
      <Sentence text={quoteName(truncate(app, MAX_APP_LENGTH))} />
    </dd>
  </dl>
)

interface AnswerFieldProps {
  readonly value: string
  readonly onInput: (value: string) => void
}

const AnswerField = ({ value, onInput }: AnswerFieldProps) => (
  <label class="field">
    <span class="label">Answer</span>
    <textarea
      rows={6}
      maxLength={MAX_ANSWER_LENGTH}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  </label>
)

/** The system prompt and the messages, each in a box. */
function Prompt({ question }: { readonly question: Sampling }) {
  const id = useId()
  const { systemPrompt, messages } = question
  return (
    <section class="stack tight" aria-labelledby={id}>
      <div class="row apart">
        <h3 id={id}>Prompt</h3>
        <Copy text={formatPrompt(question)} label="Copy the prompt" />
      </div>
      {systemPrompt !== '' && <Part label="System" text={systemPrompt} />}
      {messages.map((message, index) => (
        <Message key={index} message={message} />
      ))}
    </section>
  )
}

const ROLES = { user: 'User', assistant: 'Assistant' } as const

const Message = ({ message: { role, content } }: { readonly message: SamplingMessage }) =>
  content.map((block, index) => <Block key={index} label={ROLES[role]} block={block} />)

function Block({ label, block }: { readonly label: string; readonly block: ContentBlock }) {
  const text = formatBlock(block)
  if (!isImage(block)) return <Part label={label} text={text} />
  return (
    <figure class="unsaid">
      <figcaption class="label">{label}</figcaption>
      <Blocks blocks={[block]} />
      <p class="faint small">{text}</p>
    </figure>
  )
}

const Part = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <figure class="unsaid">
    <figcaption class="label">{label}</figcaption>
    <pre class="plainbox" tabIndex={0} role="region" aria-label={label}>
      <VisibleLines text={text} />
    </pre>
  </figure>
)

/** What the server wishes of the model, as far as it says so. */
function Wishes({ question }: { readonly question: Sampling }) {
  const wishes = listWishes(question)
  if (wishes.length === 0) return null
  return (
    <dl class="facts">
      {wishes.map(([name, text]) => (
        <>
          <dt>{name}</dt>
          <dd>
            <Visible text={text} />
          </dd>
        </>
      ))}
    </dl>
  )
}

const CONTEXTS = new Map([
  ['thisServer', 'of this server; the console adds none'],
  ['allServers', 'of all servers; the console adds none'],
])

function listWishes(question: Sampling): (readonly [name: string, text: string])[] {
  const { maxTokens, models, priorities, temperature, stopSequences, context } = question
  const matters = Object.entries(priorities).flatMap(([name, value]) =>
    value === null ? [] : [`${name} ${value}`],
  )
  const all = [
    ['Length', maxTokens === null ? '' : `at most ${maxTokens} tokens`],
    ['Model', models.join(', ')],
    ['Priorities', matters.join(', ')],
    ['Temperature', temperature === null ? '' : String(temperature)],
    ['Stop at', stopSequences.map((text) => JSON.stringify(text)).join(' ')],
    ['Context', CONTEXTS.get(context) ?? ''],
  ] as const
  return all.filter(([, text]) => text !== '')
}
