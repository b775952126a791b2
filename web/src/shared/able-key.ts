import type { KeyView } from '@tripline/proto/http/key'

type Tested = Pick<KeyView, 'problem' | 'last_test'>

/** Whether a key can trade, as far as is known: nothing keeps it from signing, and it did not fail its last test. */
export function isAble({ problem, last_test: test }: Tested): boolean {
  return problem === null && test?.success !== false
}

/** The key to begin with where nobody chose one: the first that can trade, or the first of all. */
export function firstAble<Key extends Tested>(keys: readonly Key[]): Key | undefined {
  return keys.find(isAble) ?? keys[0]
}
