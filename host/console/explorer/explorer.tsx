/**
 * The explorer: resources, resource templates and prompts of any server. What is open is in the address:
 * `?uri=` reads a resource, `?template=` opens a template, `?prompt=` a prompt, and `args` fills in its
 * arguments and gets it. `test/pages/console/explorer.test.ts` covers it.
 *
 * @module
 */

import { isRecord, recordOf } from '#core/json.ts'
import type { Connection } from '../../mcp/connection.ts'
import type { Prompt, Resource, ResourceTemplate } from '../../mcp/types.ts'
import { openConnection } from '../connect/connection.ts'
import { linkTo, route, setQuery } from '../shell/route.ts'
import { Empty, PageHead } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'
import { ArgumentsForm } from './arguments-form.tsx'
import { PromptView, ResourceView } from './contents.tsx'
import { List } from './list.tsx'
import { expandTemplate, variablesOf } from './uri-template.ts'
import { useList } from './use-list.ts'

/** Shows the lists that the server has, and what is open. */
export function Explorer() {
  const { capabilities } = openConnection()
  const has = (name: string) => isRecord(capabilities[name])
  const lists = useLists(openConnection(), has('resources'), has('prompts'))
  if (!has('resources') && !has('prompts'))
    return (
      <>
        <PageHead title="Explorer" />
        <Empty icon="explorer" title="Nothing to explore">
          This server declares neither resources nor prompts.
        </Empty>
      </>
    )
  const all = (
    <>
      {has('resources') && <ResourceLists {...lists} />}
      {has('prompts') && <PromptList prompts={lists.prompts} />}
    </>
  )
  return (
    <>
      <PageHead title="Explorer">Resources and prompts of this server.</PageHead>
      {Object.keys(route.value.query).length === 0 ? (
        <div class="stack">{all}</div>
      ) : (
        <div class="split">
          <div class="beside stack">{all}</div>
          <div class="open stack">
            <p class="crumb">
              <a href={linkTo(['explorer'])}>All resources and prompts</a>
            </p>
            <Open templates={lists.templates.items} prompts={lists.prompts.items} />
          </div>
        </div>
      )}
    </>
  )
}

function useLists(open: Connection, hasResources: boolean, hasPrompts: boolean) {
  return {
    resources: useList<Resource>(
      hasResources ? (cursor, signal) => open.resources(cursor, { signal }) : null,
    ),
    templates: useList<ResourceTemplate>(
      hasResources ? (cursor, signal) => open.resourceTemplates(cursor, { signal }) : null,
    ),
    prompts: useList<Prompt>(
      hasPrompts ? (cursor, signal) => open.prompts(cursor, { signal }) : null,
    ),
  }
}

type Lists = ReturnType<typeof useLists>

function ResourceLists({ resources, templates }: Pick<Lists, 'resources' | 'templates'>) {
  const { uri, template } = route.value.query
  const found = resources.items.map(({ uri: code, title, description }) => ({
    ...{ key: code, code, title, description },
    href: linkTo(['explorer'], { uri: code }),
  }))
  const patterns = templates.items.map(({ uriTemplate: code, title, description }) => ({
    ...{ key: code, code, title, description },
    href: linkTo(['explorer'], { template: code }),
  }))
  return (
    <>
      <List
        {...resources}
        title="Resources"
        items={found}
        open={uri}
        hasMore={resources.next !== null}
        onMore={resources.more}
        onRetry={resources.retry}
      />
      {patterns.length > 0 && (
        <List
          {...templates}
          title="Templates"
          items={patterns}
          open={template}
          hasMore={templates.next !== null}
          onMore={templates.more}
          onRetry={templates.retry}
        />
      )}
    </>
  )
}

function PromptList({ prompts }: Pick<Lists, 'prompts'>) {
  const items = prompts.items.map(({ name: code, title, description }) => ({
    ...{ key: code, code, title, description },
    href: linkTo(['explorer'], { prompt: code }),
  }))
  return (
    <List
      {...prompts}
      title="Prompts"
      items={items}
      open={route.value.query['prompt']}
      hasMore={prompts.next !== null}
      onMore={prompts.more}
      onRetry={prompts.retry}
    />
  )
}

interface OpenProps {
  readonly templates: readonly ResourceTemplate[]
  readonly prompts: readonly Prompt[]
}

function Open({ templates, prompts }: OpenProps) {
  const { uri, template, prompt, args } = route.value.query
  const pattern = templates.find(({ uriTemplate }) => uriTemplate === template)
  const chosen = prompts.find(({ name }) => name === prompt)
  if (chosen) return <OpenPrompt key={chosen.name} prompt={chosen} args={parseValues(args)} />
  if (!pattern && uri === undefined)
    return (
      <Empty icon="file" title="Not found">
        This server lists no such template or prompt.
      </Empty>
    )
  return (
    <>
      {pattern && <OpenTemplate key={pattern.uriTemplate} template={pattern} />}
      {uri !== undefined && <ResourceView key={uri} uri={uri} />}
    </>
  )
}

function OpenTemplate({ template }: { readonly template: ResourceTemplate }) {
  const { uriTemplate, title, description } = template
  const fields = variablesOf(uriTemplate).map((name) => ({
    ...{ name, description: '', required: false },
  }))
  return (
    <section class="card stack" aria-label="Template">
      <Heading title={title} description={description} />
      <ArgumentsForm
        label="Variables"
        fields={fields}
        reference={{ type: 'ref/resource', uri: uriTemplate }}
        initial={{}}
        action="Read"
        onSubmit={(values) =>
          setQuery({ template: uriTemplate, uri: expandTemplate(uriTemplate, values) })
        }
      />
    </section>
  )
}

interface OpenPromptProps {
  readonly prompt: Prompt
  /** The arguments of the address; null if the prompt is not to be got yet. */
  readonly args: Readonly<Record<string, string>> | null
}

function OpenPrompt({
  prompt: { name, title, description, arguments: fields },
  args,
}: OpenPromptProps) {
  return (
    <>
      <section class="card stack" aria-label="Prompt">
        <Heading title={title} description={description} />
        <ArgumentsForm
          label="Arguments"
          fields={fields}
          reference={{ type: 'ref/prompt', name }}
          initial={args ?? {}}
          action="Get the prompt"
          onSubmit={(values) => setQuery({ prompt: name, args: JSON.stringify(values) })}
        />
      </section>
      {args && <PromptView name={name} args={args} />}
    </>
  )
}

const Heading = ({
  title,
  description,
}: {
  readonly title: string
  readonly description: string
}) => (
  <header>
    <h2>
      <Visible text={title} />
    </h2>
    <p>
      <Visible text={description} />
    </p>
  </header>
)

/** Parses arguments from the address; members that are no strings are left out. */
function parseValues(text: string | undefined): Readonly<Record<string, string>> | null {
  if (text === undefined) return null
  try {
    const given = Object.entries(recordOf(JSON.parse(text)))
    return Object.fromEntries(
      given.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return null
  }
}
