import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  addTask,
  boardQueryKey,
  changeTask,
  everyMatterQueryKey,
  mattersQueryKey,
  removeTask,
  tasksOptions,
  tasksQueryKey,
} from "@/lib/api";

/** Loads the tasks of a matter, or with null those of the current member, with functions to change them. */
export function useTasks(matter: string | null) {
  const query = useQuery(tasksOptions(matter ?? ""));
  return { tasks: query.data?.tasks ?? [], ...useTaskActs(matter) };
}

/** Functions to add, change and remove tasks of a matter. */
export function useTaskActs(matter: string | null) {
  const queries = useQueryClient();
  const onSettled = () => {
    for (const queryKey of [tasksQueryKey(), everyMatterQueryKey(), mattersQueryKey(), boardQueryKey()])
      void queries.invalidateQueries({ queryKey });
  };
  const add = useMutation({
    mutationFn: async (body: { text: string; due: string; assignee: string }) => {
      await addTask({ path: { id: matter ?? "" }, body, throwOnError: true });
    },
    onSettled,
  });
  const change = useMutation({
    mutationFn: async ({ id, ...body }: { id: string; done: boolean }) => {
      await changeTask({ path: { id }, body, throwOnError: true });
    },
    onSettled,
  });
  const remove = useMutation({
    mutationFn: async (id: string) => {
      await removeTask({ path: { id }, throwOnError: true });
    },
    onSettled,
  });
  return { add, change, remove };
}
