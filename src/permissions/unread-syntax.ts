/** What the shell can do and a command that is to be judged may not, each as the end of a sentence. */
export const NOT_READ: Readonly<Record<string, string>> = {
  Function: 'defines a function',
  Coproc: 'runs something beside it',
  Select: 'asks for a choice',
  Case: 'uses the keyword case',
  TestCommand: 'uses [[, which the shells read differently',
  ArithmeticCommand: 'uses ((, which the shells read differently',
  ArithmeticFor: 'uses ((, which the shells read differently',
  Time: 'uses the keyword time',
};
