/** A scenario, checked and ready to play: an ordered list of turns, each of which may answer a request. */
import type { Fault } from './fault.js';
import { render } from './template.js';
import type { Scene, Template } from './template.js';

export interface Scenario {
  readonly name: string;
  readonly description: string;
  /** What a session is asked when it is started without a goal. */
  readonly goal: string;
  readonly turns: readonly Turn[];
  /** Each agent has its turns in this order, whatever was said: answers of a real server, played again. */
  readonly recorded?: true;
}

/** All that are given must hold; an empty set always does. */
export interface Conditions {
  /** `main`, `sub-1`, `sub` for any sub-agent, `page-reader` or `titler`. */
  readonly agent: string | null;
  /** Tool of the last result in the conversation. */
  readonly lastTool: string | null;
  /** Something said since the model's last answer contains this. */
  readonly contains: TextTest | null;
  /** The model's answers so far, plus one. */
  readonly round: number | null;
}

export interface TextTest {
  /** As written, for messages. */
  readonly source: string;
  readonly accepts: (text: string) => boolean;
}

export interface Turn {
  /** Position in the file, from 1. */
  readonly number: number;
  readonly when: Conditions;
  readonly text: Template;
  readonly reasoning: Template;
  readonly calls: readonly CallScript[];
  readonly fault: Fault | null;
  /** How often it may answer in one conversation; `Infinity`: without end. */
  readonly times: number;
  readonly pace: Pace;
  /** Null: estimated. */
  readonly usage: ScriptedUsage | null;
  /** Why the answer ended, as the server says it; left out: as the calls tell. */
  readonly finish?: string;
  /** Of a recording: asked without tools, beside the agent's rounds. */
  readonly side?: boolean;
}

export interface Pace {
  /** Bytes a write; 0: all in one. */
  readonly chunk: number;
  readonly delayMs: number;
  readonly chunkDelayMs: number;
}

export interface ScriptedUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface CallScript {
  readonly name: string;
  readonly args: ArgumentTree;
  /** As a real server sent them; the id may be empty. */
  readonly recorded?: { readonly id: string; readonly argumentsText: string };
}

/** Arguments as in the file, with every string compiled. */
export type ArgumentTree =
  | { readonly kind: 'text'; readonly template: Template }
  | { readonly kind: 'list'; readonly items: readonly ArgumentTree[] }
  | { readonly kind: 'table'; readonly entries: readonly (readonly [string, ArgumentTree])[] }
  | { readonly kind: 'plain'; readonly value: unknown };

export function renderArguments(tree: ArgumentTree, scene: Scene, missing: string[]): unknown {
  switch (tree.kind) {
    case 'plain':
      return tree.value;
    case 'text':
      return render(tree.template, scene, missing);
    case 'list':
      return tree.items.map((item) => renderArguments(item, scene, missing));
    case 'table':
      return Object.fromEntries(
        tree.entries.map(([key, value]) => [key, renderArguments(value, scene, missing)]),
      );
  }
}
