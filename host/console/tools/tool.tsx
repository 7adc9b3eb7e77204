/**
 * The page of one tool: its arguments as a form, the intent sentence, and the result. A change is
 * previewed first, and Apply makes exactly the change that the preview shows.
 *
 * @module
 */

import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import { factsOf, intentOf, type ToolFacts } from '../../mcp/tool-facts.ts'
import type { Tool } from '../../mcp/types.ts'
import type { Subject } from '../../consent/types.ts'
import type { SavedInput } from '../../records/types.ts'
import { CallText } from '../markdown/call-text.tsx'
import { SchemaForm } from '../../forms/schema-form.tsx'
import type { JsonRecord } from '#core/json.ts'
import { submitByHand } from '../ui/by-hand.ts'
import { ExampleButton } from './example-button.tsx'
import { BadgeExplanations, FactBadges } from './fact-badges.tsx'
import { Intent } from './intent.tsx'
import { Visible } from '../ui/visible.tsx'
import { openConnection, revision } from '../connect/connection.ts'
import { linkTo, route, setQuery } from '../shell/route.ts'
import { buildMeta, NO_OPTIONS, parseOptions, type RequestOptions } from './request-options.ts'
import { fingerprint, useToolRun, type ToolRun } from './tool-run.ts'
import { Buttons } from './tool-buttons.tsx'
import { RequestOptionsForm } from './request-options-form.tsx'
import { Result } from './tool-result.tsx'
import { SavedInputs } from './saved-inputs.tsx'
import { useArguments } from './use-arguments.ts'

/** Shows a tool; the typed arguments are kept in this tab. */
export function ToolPage({ tool }: { readonly tool: Tool }) {
  const facts = useMemo(() => factsOf(tool), [tool])
  const { args, isValid, changeArgs } = useArguments(tool)
  const [showAll, setShowAll] = useState(false)
  const [meta, setMeta] = useState<RequestOptions>(NO_OPTIONS)
  const toolRun = useToolRun(tool, { key: `run.${openConnection().url} ${tool.name}`, args })
  const formId = useId()
  const sending = buildMeta(meta)
  const { state } = toolRun
  const subject = subjectOf(tool, args, sending)
  const common = { state, isCurrent: state.sent === fingerprint(args, sending) }
  const act = async (how: 'preview' | 'apply' | 'run') => {
    if (!isValid) return setShowAll(true)
    const end = await toolRun[how](args, sending)
    if (hasChanged(end)) revision.value++
  }
  const choose = (saved: SavedInput) => {
    changeArgs(saved.args, true)
    setMeta(parseOptions(saved.meta))
  }
  useRunFromLink(facts.readOnly && isValid && state.phase === 'idle', () => act('run'))
  return (
    <article class="tool" data-testid="tool">
      <About tool={tool} facts={facts} args={args} />
      <form
        id={formId}
        class="card stack"
        aria-label="Arguments"
        onSubmit={submitByHand(() => void act(facts.preview ? 'preview' : 'run'))}
      >
        <FormHead tool={tool} args={args} options={meta} onFill={changeArgs} onChoose={choose} />
        <SchemaForm
          schema={tool.inputSchema}
          value={args}
          idPrefix={`tool-${tool.name}`}
          label="Arguments"
          showProblems={showAll ? 'all' : 'touched'}
          onChange={changeArgs}
        />
        <RequestOptionsForm meta={meta} onChange={setMeta} />
      </form>
      <Result {...common} tool={tool} args={args} onClear={toolRun.clear} />
      <Buttons
        {...common}
        form={formId}
        subject={subject}
        isValid={isValid}
        facts={facts}
        direct={meta.direct}
        onAct={act}
        onCancel={toolRun.cancel}
      />
    </article>
  )
}

interface FormHeadProps {
  readonly tool: Tool
  readonly args: JsonRecord
  readonly options: RequestOptions
  readonly onFill: (args: JsonRecord, isValid: boolean) => void
  readonly onChoose: (saved: SavedInput) => void
}

const FormHead = ({ tool, args, options, onFill, onChoose }: FormHeadProps) => (
  <div class="row apart">
    <h2>Arguments</h2>
    <div class="row">
      <ExampleButton schema={tool.inputSchema} args={args} onFill={onFill} />
      <SavedInputs tool={tool.name} args={args} options={options} onChoose={onChoose} />
    </div>
  </div>
)

/** Describes the call of a tool, for a question about it. */
const subjectOf = (tool: Tool, args: JsonRecord, meta: JsonRecord): Subject => ({
  call: { tool: tool.name, args, meta },
  title: tool.title,
  intent: intentOf(tool, args),
})

/** Runs a tool that only reads if the address says `run=1`, and removes that from the address. */
function useRunFromLink(canRun: boolean, run: () => Promise<void>): void {
  const { run: wanted, ...query } = route.value.query
  useEffect(() => {
    if (wanted !== '1') return
    setQuery(query)
    if (canRun) void run()
  }, [wanted])
}

interface AboutProps {
  readonly tool: Tool
  readonly facts: ToolFacts
  readonly args: JsonRecord
}

/** What the tool is, and what a call with these arguments would do. */
const About = ({ tool, facts, args }: AboutProps) => (
  <>
    <Head tool={tool} facts={facts} />
    <p class="intentline card" aria-live="polite" aria-label="Intent">
      <Intent parts={intentOf(tool, args).parts} large />
    </p>
    <CallText tool={tool} args={args} />
  </>
)

const Head = ({ tool, facts }: { readonly tool: Tool; readonly facts: ToolFacts }) => (
  <header class="pagehead">
    <div>
      <p class="crumb">
        <a href={linkTo(['tools'])}>Tools</a>
      </p>
      <h1 tabIndex={-1}>
        <Visible text={tool.title} />
      </h1>
      <p>
        <Visible text={tool.description} />
      </p>
      <div class="row">
        <code>{tool.name}</code>
        <FactBadges facts={facts} />
      </div>
      <BadgeExplanations facts={facts} />
    </div>
  </header>
)

const hasChanged = ({ phase, change, result }: ToolRun) =>
  phase === 'done' && (change?.applied === true || result?.isError === false)
