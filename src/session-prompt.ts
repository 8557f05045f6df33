/** The first message of a conversation: the system prompt, with what people wrote down for agents. */
import { loadPrompt } from '../config/prompts.js';
import { firstInstructions, type InstructionSource } from './context/instructions.js';

/** Read from the files as they are now. */
export function systemPrompt(source: InstructionSource): string {
  const prompt = loadPrompt('system', { workspace: source.workspace });
  const instructions = firstInstructions(source);
  return instructions === '' ? prompt : `${prompt}\n\n${instructions}`;
}
