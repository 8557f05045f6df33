/** The first message of a conversation: the system prompt, with what people wrote down for agents. */
import { loadPrompt } from '../config/prompts.js';
import { firstInstructions, type InstructionSource } from './context/instructions.js';

/** Read from the files as they are now. */
export function systemPrompt(source: InstructionSource): string {
  const prompt = loadPrompt('system', { workspace: source.workspace });
  const parts = [prompt, firstInstructions(source), source.remembered?.() ?? ''];
  return parts.filter((part) => part !== '').join('\n\n');
}
