import type * as z from "zod";
import type { ApiOperation } from "#contracts/index.ts";
import type { Operation } from "#contracts/operation.ts";
import type { Page } from "#contracts/page.ts";

type Operations = { [O in ApiOperation as O["id"]]: O };

/** The id of an operation, which is the name of its function. */
export type OperationId = keyof Operations;

/** The operation of an id. */
export type OperationOf<Id extends OperationId> = Operations[Id];

/** What stands for a parameter: text may be given as a number or a time, a flag as a boolean. */
type Parameter<T> = T extends readonly (infer Item)[]
  ? readonly Parameter<Item>[]
  : string extends T
    ? string | number | Date
    : T extends "true" | "false"
      ? T | boolean
      : T;

type Parameters<T> = { [Name in keyof T]: Parameter<T[Name]> };

/** A part of the input: absent where the operation has none, optional where nothing in it is required. */
type Part<
  Name extends string,
  Value,
  IsOptional = Record<string, never> extends Value ? true : false,
> = IsOptional extends true ? { [_ in Name]?: Value } : { [_ in Name]: Value };

type InputOf<O> = (O extends { params: infer P extends z.ZodType }
  ? Part<"params", Parameters<z.input<P>>>
  : unknown) &
  (O extends { query: infer Q extends z.ZodType } ? Part<"query", Parameters<z.input<Q>>> : unknown) &
  (O extends { body: infer B extends z.ZodType }
    ? Part<"body", z.input<B>, O extends { bodyOptional: true } ? true : false>
    : unknown) &
  (O extends { ifMatch: "required" }
    ? { ifMatch: Version }
    : O extends Mutation
      ? { ifMatch?: Version }
      : unknown) &
  (O extends { method: "POST" } ? { idempotencyKey?: string } : unknown);

type Mutation = { method: "POST" | "PUT" | "PATCH" | "DELETE"; versioned: true };

/** A version as a resource has it, or an ETag as an answer had it. */
export type Version = number | string;

export interface CallOptions {
  /** Aborts the call, its waits between tries included. It then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Further headers, by name. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** What a call takes: `params` of the path, `query`, `body`, and what goes into headers. */
export type CallInput<O> = O extends Operation ? InputOf<O> & CallOptions : never;

/** What a call gives: the body of its answer; `undefined` where there is none. */
export type CallResult<O> = O extends { response: infer R extends z.ZodType } ? z.output<R> : undefined;

/** Takes its argument as optional where nothing in it is required. */
type Arguments<Input> = Record<string, never> extends Input ? [input?: Input] : [input: Input];

/** The function of an operation. */
export type Call<O> = (...input: Arguments<CallInput<O>>) => Promise<CallResult<O>>;

/** The ids of operations that give pages. */
export type ListId = {
  [Id in OperationId]: CallResult<OperationOf<Id>> extends Page<unknown> ? Id : never;
}[OperationId];

export type PageOf<Id extends ListId> = CallResult<OperationOf<Id>>;
export type ItemOf<Id extends ListId> = PageOf<Id> extends Page<infer Item> ? Item : never;

/** An answer with what its headers say. */
export interface Answer<T> {
  data: T;
  /** The body as it came: numbers beyond 2^53 have all their digits here. */
  text: string;
  status: number;
  headers: Headers;
  /** Of a versioned resource, for `ifMatch`. */
  etag: string | null;
}
