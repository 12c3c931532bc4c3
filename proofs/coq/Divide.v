(** Logical divide (paper 3.5.2, model/divide.py): A∘(B, B* ) with the bounded complement of B for |A|. *)
From Veritile Require Import Modes Coalesce Shapes Compose Complement.

Definition divide (A : modes) (B : layout) : option layout :=
  match complement (flatten B) (size A) with
  | Some C => compose (coalesce A) (Node [B; leaf_of C])
  | None => None
  end.

Lemma leaf_of_image C : wf C -> image (flatten (leaf_of C)) = image C.
Proof.
  intros H. destruct (leaf_of_same C H) as [[E V] _]. unfold image. rewrite E. apply map_ext_in.
  intros x Hx. apply in_range in Hx. apply V. lia.
Qed.

(** The first mode is A∘B, every value is A(B(c) + B*(e)); where |B|·|B*| = |A| no element is lost or repeated. *)
Theorem divide_sound A B R : wf A -> wfl B -> divide A B = Some R ->
  exists C R0 R1, complement (flatten B) (size A) = Some C /\ R = Node [R0; R1]
  /\ compose (coalesce A) B = Some R0
  /\ (forall c e, in_bounds (shape_of B) c -> in_bounds (shape_of (leaf_of C)) e ->
        eval R (Node [c; e]) = value (coalesce A) (eval B c + eval (leaf_of C) e))
  /\ (size (flatten B) * size C = size A -> Permutation (image (flatten R)) (image A) /\ composes A B R0).
Proof.
  unfold divide. intros HA HB H. pose proof (size_pos A HA) as HP.
  destruct (complement (flatten B) (size A)) as [C|] eqn:EC; [|discriminate].
  destruct (complement_sound (flatten B) (size A) C HB HP EC) as (HC & _ & G & top & u & _ & _ & _ & _ & ES & T).
  pose proof (canonical_wf C HC) as HCw. destruct (leaf_of_same C HCw) as [SC WC].
  assert (HN : wfl (Node [B; leaf_of C])).
  { apply wfl_cons. split; [assumption|]. apply wfl_cons. split; [assumption|constructor]. }
  pose proof (compose_sound _ _ _ HN H) as (WR & CR & VR).
  pose proof (coalesce_correct A HA) as [_ [EA VA]].
  unfold compose in H. rewrite candidate_node in H. cbn [candidates] in H.
  destruct (candidate (coalesce A) B) as [R0|] eqn:E0; [|discriminate].
  destruct (candidate (coalesce A) (leaf_of C)) as [R1|]; [|discriminate]. cbn [option_map] in H.
  destruct (agrees _ _ _) eqn:EA'; [|discriminate]. injection H as <-.
  destruct (candidate_compatible _ _ _ HB E0) as [W0 C0].
  assert (K : composes (coalesce A) B R0).
  { split; [assumption|]. split; [assumption|]. intros c Hc. specialize (VR (Node [c; Leaf 0])).
    cbn [eval sum2] in VR. rewrite !eval_0, !Z.add_0_r in VR. apply VR. cbn. split; [exact Hc|]. split; [|exact I].
    apply in_bounds_leaf. change (tmap fst (leaf_of C)) with (shape_of (leaf_of C)). rewrite total_shape.
    pose proof (size_pos _ WC). lia. }
  exists C, R0, R1. split; [reflexivity|]. split; [reflexivity|]. split; [|split].
  - unfold compose. rewrite E0. apply composes_iff in K; [|assumption..]. now rewrite K.
  - intros c e Hc He. specialize (VR (Node [c; e])). cbn [eval sum2] in *. rewrite !Z.add_0_r in VR. rewrite Z.add_0_r.
    apply VR. cbn. auto.
  - intros Full. assert (EM : u * top = size A) by lia. rewrite EM in T.
    pose proof (compatible_total _ _ CR) as TR. rewrite !total_shape in TR.
    assert (EI : image (flatten (Node [R0; R1])) = map (value (coalesce A)) (image (flatten (Node [B; leaf_of C])))).
    { unfold image. rewrite <- TR, map_map. apply map_ext_in. intros i Hi. apply in_range in Hi.
      specialize (VR (Leaf i)). rewrite !eval_leaf in VR. apply VR, in_bounds_leaf. now rewrite total_shape. }
    assert (EB : image (flatten (Node [B; leaf_of C])) = image (flatten B ++ C)).
    { rewrite !flatten_cons. change (flatten (Node (@nil layout))) with (@nil mode). rewrite app_nil_r.
      rewrite !image_app by assumption. now rewrite leaf_of_image. }
    split.
    + rewrite EI, EB, T. rewrite <- (coalesce_image A HA) at 1. unfold image. rewrite EA. reflexivity.
    + destruct K as (_ & _ & VK). split; [assumption|]. split; [assumption|]. intros c Hc. rewrite VK by assumption. apply VA.
      rewrite EA. destruct (eval_index (shape_of B) B c HB (compatible_refl _) Hc) as [I E]. rewrite E.
      rewrite total_shape in I. apply in_range. eapply Permutation_in; [exact T|]. apply in_image.
      exists (index (shape_of B) c + size (flatten B) * 0). pose proof (size_pos C HCw).
      split; [rewrite size_app; apply join_bounds; lia|]. rewrite value_app by (assumption || lia).
      rewrite value_0. lia.
Qed.

(** A divide is refused only where no complement of B exists, or A after (B, B* ) is no layout. *)
Theorem divide_none A B : wf A -> wfl B -> (divide A B = None <->
  complement (flatten B) (size A) = None
  \/ exists C, complement (flatten B) (size A) = Some C /\ forall R, ~ composes (coalesce A) (Node [B; leaf_of C]) R).
Proof.
  intros HA HB. unfold divide. destruct (complement (flatten B) (size A)) as [C|] eqn:EC.
  - destruct (complement_sound (flatten B) (size A) C HB (size_pos A HA) EC) as (HC & _).
    destruct (leaf_of_same C (canonical_wf C HC)) as [_ WC].
    assert (HN : wfl (Node [B; leaf_of C])).
    { apply wfl_cons. split; [assumption|]. apply wfl_cons. split; [assumption|constructor]. }
    rewrite compose_none by assumption. split.
    + intros H. right. eauto.
    + intros [H|(C' & [= <-] & H)]; [discriminate|exact H].
  - tauto.
Qed.
