# attend_leave_out_training(LIST): removes from a list of sources what only training and `attend bench` need. The names of
# optimizers, schedules and validation metrics stay, because a model file records its settings by them.
function(attend_leave_out_training list)
  list(FILTER ${list} EXCLUDE REGEX "/src/(bench|log)/")
  set(train checkpoint feed keep plan selection trainer trainer_[a-z]+ update validate)
  # What remains of the corpus are the readers of lines and columns.
  set(corpus corpus dataset disguise encode encode_set example_lines holdout pairs pairs_read resampling set_files sides
    split store tagging traps valid_set)
  set(api bench distill distill_state shortlist train training_net)
  foreach(room train corpus api)
    list(JOIN ${room} "|" files)
    list(FILTER ${list} EXCLUDE REGEX "/src/${room}/(${files})\\.c$")
  endforeach()
  set(${list} ${${list}} PARENT_SCOPE)
endfunction()
