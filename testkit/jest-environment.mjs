import vm from 'node:vm'
import { TestEnvironment } from 'jest-environment-node'

const { createContext } = vm

/**
 * Jest's environment with an ordinary global object. Its own puts a proxy there, which every look-up of `Math`, `Number`
 * or `Error` goes through, and which makes code that computes take up to twice the processor time.
 */
export default class OrdinaryGlobal extends TestEnvironment {
  constructor(...options) {
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY)
    try {
      super(...options)
    } finally {
      vm.createContext = createContext
    }
  }
}
