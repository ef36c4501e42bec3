// What the generated types must know. It is compiled, never run; each marked line must be an error.

import type { components } from "../build/api.js";

type Schemas = components["schemas"];

export function told(event: Schemas["Event"]): number | string | null {
  switch (event.type) {
    case "played":
      return event.combination.high_card;
    case "round_ended":
      return event.hands[0]?.points ?? null;
    case "game_over":
      return "winners" in event ? (event.winners[0] ?? null) : event.winner;
    default:
      return event.seat;
  }
}

export function sum(state: Schemas["GameState"]): number {
  // @ts-expect-error Thirteen has no rounds
  state.round;
  return state.game === "thirteen" ? (state.winner ?? -1) : state.round;
}

export function why(verdict: Schemas["PlayVerdict"]): Schemas["Reason"] | undefined {
  // @ts-expect-error there may be no reason
  verdict.reason.code;
  return verdict.reason?.code;
}

export function first(scores: Schemas["HandScores"]): number | string {
  const [result] = scores.results;
  if (result === undefined) return 0;
  return "error" in result ? result.error.code : result.penalty;
}

export const moves: Schemas["Move"][] = [
  { type: "play", cards: ["3S"] },
  { type: "draw", from: "stock" },
  // @ts-expect-error a pile that is not there
  { type: "draw", from: "table" },
  // @ts-expect-error a field too many
  { type: "pass", cards: [] },
  // @ts-expect-error a field too few
  { type: "go_out" },
];

// @ts-expect-error no such code
export const code: Schemas["ProblemCode"] = "too_hot";
export const phase: Schemas["Phase"] | null = "draw" satisfies Schemas["ThreeThirteenState"]["phase"];
