/** The table that a person reads. @module */

import type { Outcome, Status } from './outcome.ts'

export interface Row extends Outcome {
  readonly id: string
  readonly clause: string
  readonly title: string
}

const ORDER: readonly Status[] = ['FAIL', 'TIMEOUT', 'PASS', 'INFO', 'NOTRUN']

export function draw(rows: readonly Row[], host: string): void {
  const groups = Map.groupBy(rows, ({ id }) => id.split('/')[0] ?? '')
  const sections = [...groups].map(([name, members]) => section(name, members))
  document.querySelector('main')?.replaceChildren(...sections)
  document.querySelector('#counts')?.replaceChildren(...counts(rows))
  const heading = document.querySelector('#host')
  if (heading) heading.textContent = host
}

function counts(rows: readonly Row[]): HTMLElement[] {
  return ORDER.flatMap((status) => {
    const count = rows.filter((row) => row.status === status).length
    return count === 0 ? [] : [badge(status, `${count} ${status.toLowerCase()}`)]
  })
}

function section(name: string, rows: readonly Row[]): HTMLElement {
  const made = document.createElement('section')
  made.append(element('h2', name), ...rows.map(line))
  return made
}

function line({ id, clause, title, status, detail }: Row): HTMLElement {
  const made = document.createElement('article')
  made.id = id
  const text = document.createElement('div')
  const facts = element('p', '')
  facts.append(element('code', id), element('span', clause))
  text.append(element('h3', title), facts)
  if (detail !== '') text.append(element('pre', detail))
  made.append(badge(status, status), text)
  return made
}

function badge(status: Status, text: string): HTMLElement {
  const made = element('b', text)
  made.dataset['status'] = status
  return made
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  return made
}
