/**
 * Faults of `worker/skills/`: who has a skill, and what its entries and addresses lead to.
 *
 * @module
 */

import type { Fault } from './fault.ts'

const ACCESS = 'test/worker/skills/access.test.ts'
const LIMITS = 'test/worker/skills/limits.test.ts'
const SKILLS = 'test/worker/skills/skills.test.ts'

export const SKILL_FAULTS: readonly Fault[] = [
  {
    name: 'skills: a caller has a skill of which it may read a part',
    promise: 'A caller that may not read every file of a skill learns nothing of it',
    file: 'worker/skills/view.ts',
    before: 'folder.files.every(({ path }) => access.canRead(path))',
    after: 'folder.files.some(({ path }) => access.canRead(path))',
    tests: [ACCESS],
  },
  {
    name: 'skills: the instructions name the skills of all callers',
    promise: 'A caller that may not read every file of a skill learns nothing of it',
    file: 'worker/skills/view.ts',
    before: 'instructionsOf(seen(access).map(({ name }) => name))',
    after: 'instructionsOf(skills.served().filter(() => access).map(({ name }) => name))',
    tests: [ACCESS],
  },
  {
    name: 'skills: a prompt is given to all callers',
    promise: 'A caller that may not read every file of a skill learns nothing of it',
    file: 'worker/skills/view.ts',
    before: 'return skill && isSeen(skill, access) ? promptText(skills, skill) : null',
    after: 'return skill && access ? promptText(skills, skill) : null',
    tests: [ACCESS],
  },
  {
    name: 'skills: a skill is served after its approval was taken back',
    promise: 'No skill is served before the owner has approved it',
    file: 'worker/skills/skills.ts',
    before: '    kept = null\n',
    after: '',
    tests: [SKILLS],
  },
  {
    name: 'skills: a skill within another one has an entry',
    promise: 'A skill within the folder of another one is part of it and no skill of its own',
    file: 'worker/skills/view.ts',
    before: 'found && addressOf(found.skill) === uri ?',
    after: "found && uri !== '' ?",
    tests: [SKILLS],
  },
  {
    name: 'skills: a page has any size',
    promise: 'A page of skills/list is bounded, and never splits an entry',
    file: 'worker/skills/view.ts',
    before: 'items.length === SKILLS_PAGE || bytes > MAX_SKILLS_PAGE_BYTES',
    after: 'items.length === SKILLS_PAGE || bytes < 0',
    tests: [LIMITS],
  },
  {
    name: 'skills: an alias is followed',
    promise: 'No frontmatter becomes larger than its text',
    file: 'worker/skills/frontmatter.ts',
    before: "if (isAlias(node)) return fail('is an alias: write the value itself', pointer)",
    after: 'if (isAlias(node)) return ok(null)',
    tests: ['test/worker/skills/frontmatter.test.ts'],
  },
  {
    name: 'skills: a skill has another name than its folder',
    promise: 'The last part of the address of a skill is its name',
    file: 'worker/skills/manifest.ts',
    before: 'check(name === folder,',
    after: 'check(name !== undefined,',
    tests: ['test/worker/skills/attacks.test.ts'],
  },
  {
    name: 'skills: readers of a folder hear of skills that they do not have',
    promise: 'A caller that may not read every file of a skill learns nothing of it',
    file: 'worker/mcp/notifications.ts',
    before: '[folder.path, ...folder.files].every(',
    after: '[folder.path].every(',
    tests: ['test/platform/skills/notifications.test.ts'],
  },
]
