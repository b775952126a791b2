declare module 'virtual:antd-tokens' {
  type Derived = import('antd').GlobalToken

  /** The values that antd derives from the tokens of each theme. */
  export const derivedTokens: Record<'dark' | 'light', Derived>
}
