/** WebDAV, judged by programs that others wrote for it: litmus and cadaver. `rclone.slow.test.ts` has rclone. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { davAddress } from '../../support/e2e/dav.ts'
import { scratch } from '../../support/e2e/folder.ts'
import { describeJudge, runJudge } from '../../support/e2e/judge.ts'
import { useServer } from '../../support/e2e/server.ts'

const server = useServer()

const SUITES = ['basic', 'copymove', 'props', 'locks', 'http']

describeJudge('litmus', () => {
  it.each(SUITES)('%s: no test fails', async (suite) => {
    const { url, password } = await davAddress(server, `litmus-${suite}`)
    // It writes its log into the folder in which it runs.
    const cwd = scratch()
    const env = { TESTS: suite }
    const { stdout, stderr } = await runJudge('litmus', ['-k', `${url}/`, 'me', password], {
      env,
      cwd,
    })
    const summary = /of (\d+) tests run: (\d+) passed, (\d+) failed/.exec(stdout)
    expect(summary?.[3], `${stdout}${stderr}`).toBe('0')
    expect(Number(summary?.[1])).toBeGreaterThan(3)
    expect(stdout).not.toContain('FAIL')
  })
})

describeJudge('cadaver', () => {
  it('puts, lists, moves, gets and deletes', async () => {
    const { url, password } = await davAddress(server, 'cadaver')
    const home = scratch()
    const { hostname } = new URL(url)
    writeFileSync(join(home, '.netrc'), `machine ${hostname} login me password ${password}\n`)
    writeFileSync(join(home, 'one.txt'), 'one')
    const commands = [
      'mkcol folder',
      `put ${join(home, 'one.txt')} folder/one.txt`,
      'copy folder/one.txt two.txt',
      'move two.txt three.txt',
      'propset three.txt mark yes',
      'propget three.txt mark',
      `get three.txt ${join(home, 'back.txt')}`,
      'ls folder',
      'delete three.txt',
      'rmcol folder',
      'ls',
      'quit',
    ]
    const { stdout } = await runJudge('cadaver', [`${url}/`], {
      env: { HOME: home },
      input: `${commands.join('\n')}\n`,
    })
    expect(stdout).toContain('one.txt')
    expect(stdout).toMatch(/mark.*\n?.*yes/)
    expect(stdout).not.toMatch(/fail/i)
    expect(readFileSync(join(home, 'back.txt'), 'utf8')).toBe('one')
    expect((await fetch(`${url.slice(0, -'/dav'.length)}/files/folder`)).status).toBe(404)
  })
})
