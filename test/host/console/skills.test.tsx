/** Skills in the console: what each declares, its text, who may use it, and that only a real click decides on what is shown. */

import { SkillApprovals } from '#host/console/skills/skill-approvals.tsx'
import { SkillPage } from '#host/console/skills/skill-page.tsx'
import { AllSkills } from '#host/console/skills/skills.tsx'
import type { ShownSkill } from '#core/owner/answers/skills.ts'
import { fakeOwner, type Answers, type SentAct } from '../../support/host/fake-owner.ts'
import { pressDecision } from '../../support/host/press-decision.ts'
import { render, type VNode } from 'preact'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const SKILL: ShownSkill = {
  ...{ name: 'deploy', revision: 'r1', problems: [], decided: null, state: 'waiting' },
  manifest: {
    frontmatter: {
      ...{ name: 'deploy', description: 'How to deploy', 'allowed-tools': 'Bash' },
      metadata: { version: '1' },
    },
  },
  files: [
    { path: '/.skills/deploy/SKILL.md', size: 12, change: 'added' },
    { path: '/.skills/deploy/run.sh', size: 3, change: null },
  ],
}

const TEXT =
  '---\nname: deploy\ndescription: x\n---\n\n# Steps\n\n1. Push\n\n<script>alert(1)</script>\n'

const root = document.createElement('main')
let sent: readonly SentAct[]
let skills: readonly ShownSkill[]
let readers: { session: string; label: string; sees: boolean }[]

const decided = (): ShownSkill => {
  skills = []
  return SKILL
}

const ANSWERS: Answers = {
  list_skills: () => ({ waiting: skills.length, left: 1, skills }),
  show_skill: () => ({ ...SKILL, ...skills[0], readers }),
  open_skill_file: () => new Response(TEXT),
  approve_skill: decided,
  turn_down_skill: decided,
  withdraw_skill: () => {
    skills = []
    return { name: 'deploy', state: 'waiting' }
  },
}

beforeEach(() => {
  document.body.append(root)
  skills = [SKILL]
  readers = []
  sent = fakeOwner(ANSWERS)
})

afterEach(() => {
  render(null, root)
  root.remove()
  vi.unstubAllGlobals()
})

async function show(page: VNode, text = 'deploy'): Promise<void> {
  render(page, root)
  await expect.poll(() => root.textContent).toContain(text)
}

const button = (label: string) =>
  [...root.querySelectorAll('button')].find((one) => one.textContent.startsWith(label))

const press = (label: string) => pressDecision(() => button(label))

describe('what waits', () => {
  it('shows what a skill declares, and that it asks for tools', async () => {
    await show(<SkillApprovals base="/w/x" />)
    expect(root.textContent).toContain('How to deploy')
    expect(root.textContent).toContain('{"version":"1"}')
    expect(root.textContent).toContain('It asks for tools without questions.')
    expect(root.textContent).toContain('1 more folder of skills not listed.')
  })

  it.each([
    ['Approve the skill', 'approve_skill', { revision: 'r1' }],
    ['Turn down', 'turn_down_skill', { revision: 'r1' }],
  ])('%s names what was shown', async (label, name, body) => {
    await show(<SkillApprovals base="/w/x" />)
    await press(label)
    await expect
      .poll(() => sent)
      .toMatchObject([{ name, url: expect.stringContaining('/w/x/skills/deploy/'), body }])
  })

  it('says that an approved skill has changed', async () => {
    skills = [{ ...SKILL, decided: { state: 'approved', at: 0, manifest: null } }]
    await show(<SkillApprovals base="/w/x" />)
    expect(root.textContent).toContain('Its files have changed since you approved it.')
  })

  it('shows the problems of a skill, which cannot be approved', async () => {
    const problems = [{ pointer: '/name', message: 'is not the name of its folder' }]
    skills = [{ ...SKILL, state: 'invalid', manifest: null, problems }]
    await show(<SkillApprovals base="/w/x" />, 'SKILL.md/name is not the name of its folder')
    expect(button('Approve the skill')).toBeUndefined()
  })

  it('shows nothing without skills', async () => {
    skills = []
    fakeOwner({ list_skills: { waiting: 0, left: 0, skills: [] } })
    render(<SkillApprovals base="/w/x" />, root)
    await expect.poll(() => root.innerHTML).toBe('')
  })
})

describe('the page of skills', () => {
  it('lists all, each with a link to its page', async () => {
    await show(<AllSkills base="/w/x" />, 'How to deploy')
    expect(root.querySelector('a[href="#/skills/deploy"]')?.textContent).toBe('deploy')
    expect(root.textContent).toContain('waits for you')
  })

  it('says how to make one', async () => {
    skills = []
    await show(<AllSkills base="/w/x" />, 'No skills')
  })
})

describe('the page of one skill', () => {
  it('shows its text as elements of the page, without its frontmatter and without HTML', async () => {
    await show(<SkillPage base="/w/x" name="deploy" />, 'Steps')
    const text = root.querySelector('[aria-labelledby="skill-text"] .markdown')
    expect(text?.querySelector('ol')?.textContent).toContain('Push')
    expect(text?.textContent).toContain('<script>alert(1)</script>')
    expect(text?.textContent).not.toContain('description')
    expect(root.querySelector('script')).toBeNull()
  })

  it('shows which sessions may use it', async () => {
    readers = [
      { session: 'a', label: 'Claude', sees: true },
      { session: 'b', label: 'other', sees: false },
    ]
    await show(<SkillPage base="/w/x" name="deploy" />, 'may not read it')
    const rows = [...root.querySelectorAll('[aria-label="Sessions"] li')]
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/Claude.*may use it/),
      expect.stringMatching(/other.*may not read it/),
    ])
  })

  it('decides', async () => {
    skills = [{ ...SKILL, state: 'approved' }]
    await show(<SkillPage base="/w/x" name="deploy" />, 'approved')
    await press('Take back the approval')
    await expect.poll(() => sent).toMatchObject([{ name: 'withdraw_skill', body: {} }])
  })
})
